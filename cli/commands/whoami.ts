import type { CommandContext } from '../context.js';
import { whoAmI } from '../documents.js';
import { exitCodes } from '../failure.js';
import { ListingFile } from '../listing-file.js';
import { alignedTable, printable } from '../output.js';

interface Viewer {
  accountUserId: string;
  developer: { name: string; companyName: string | null; status: string } | null;
  apiKey: { name: string; maskedKey: string; scopes: string[]; expiresAt: string } | null;
}

/** Shows whose credential it is, and what it may do. */
export async function whoami(context: CommandContext): Promise<number> {
  const { output, path } = context;
  const slug = ListingFile.exists(path) ? ListingFile.read(path).content.app : undefined;
  const api = context.api(slug);
  const { viewer } = await api.query<{ viewer: Viewer }>(whoAmI);
  const { developer, apiKey } = viewer;
  output.json({
    ok: true,
    command: 'whoami',
    url: api.url,
    credential: api.credential.kind,
    accountUserId: viewer.accountUserId,
    developer,
    apiKey,
  });
  output.line(
    alignedTable([
      ['Marketplace', api.url],
      ['Developer', developer ? `${printable(developer.name)} (${developer.status})` : '(not registered)'],
      ['Credential', api.credential.kind],
      ...(apiKey
        ? [
            ['Key', `${printable(apiKey.name)} (${apiKey.maskedKey})`],
            ['Scopes', apiKey.scopes.join(', ')],
            ['Expires', apiKey.expiresAt],
          ]
        : []),
    ]),
  );
  return exitCodes.done;
}
