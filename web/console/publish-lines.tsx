import { settings } from '../client/settings.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Disclosure } from '../components/disclosure.tsx';

/** Public address of the marketplace, as the command-line tool needs it. */
const marketplaceUrl = () => `${location.origin}${settings.base}`;

const download = 'curl -fsSO "$MARKETPLACE_URL/cli/marketplace.mjs"';

/** The commands that publish an app from a terminal; `key` is a placeholder unless it was just created. */
export const terminalLines = (key: string, slug: string | null): string =>
  [
    `export MARKETPLACE_URL=${marketplaceUrl()}`,
    `export MARKETPLACE_KEY=${key}`,
    download,
    slug === null ? 'node marketplace.mjs init' : `node marketplace.mjs init --app ${slug}`,
    'node marketplace.mjs check',
    'node marketplace.mjs push',
    'node marketplace.mjs submit --wait',
  ].join('\n');

/** The file .github/workflows/marketplace.yml, without the check of pull requests. */
export const gitHubWorkflow = (): string => `name: Marketplace
on:
  push:
    tags: ['v*']
env:
  MARKETPLACE_URL: ${marketplaceUrl()}
jobs:
  publish:
    runs-on: ubuntu-latest
    environment: marketplace
    permissions:
      contents: read
      id-token: write
    steps:
      - uses: actions/checkout@v4
      - run: ${download}
      - run: node marketplace.mjs push --submit`;

/** The job for .gitlab-ci.yml. */
export const gitLabJob = (): string => `marketplace-publish:
  image: node:24
  rules:
    - if: $CI_COMMIT_TAG
  environment: marketplace
  variables:
    MARKETPLACE_URL: ${marketplaceUrl()}
  id_tokens:
    MARKETPLACE_ID_TOKEN:
      aud: ${marketplaceUrl()}
  script:
    - ${download}
    - node marketplace.mjs push --submit`;

/** Lines to copy, with what they are. */
export const PublishLines = ({ title, text }: { title: string; text: string }) => (
  <Disclosure summary={title}>
    {() => (
      <>
        <pre class="secret">
          <code>{text}</code>
        </pre>
        <CopyButton text={text} label="Copy the lines" />
      </>
    )}
  </Disclosure>
);
