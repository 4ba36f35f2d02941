import { Badge } from '../components/badge.tsx';
import { When } from '../components/when.tsx';
import type { WebhookData } from './webhook-data.ts';

/** The state of an endpoint in a few words. */
export const WebhookStatus = ({
  webhook: { status, failingSince, disabledReason },
}: {
  webhook: WebhookData;
}) => (
  <>
    {status === 'ENABLED' && failingSince ? (
      <Badge value="FAILING" tone="bad" />
    ) : (
      <Badge value={status} tone={status === 'ENABLED' ? 'good' : 'bad'} />
    )}{' '}
    {disabledReason ? (
      <small>{disabledReason}</small>
    ) : (
      failingSince && (
        <small>
          First failure <When at={failingSince} />. Still enabled.
        </small>
      )
    )}
  </>
);
