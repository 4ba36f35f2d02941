import { Secret } from '../components/secret.tsx';

interface WebhookSecretProps {
  title: string;
  secret: string;
  onClose: () => void;
}

/** Shows the secret of an endpoint once. */
export const WebhookSecret = (props: WebhookSecretProps) => (
  <Secret
    {...props}
    storage="We store it encrypted, because we sign every message with it, and never show it again."
    advice="Your receiver needs it to check that messages come from the marketplace: verify the header webhook-signature (Standard Webhooks)."
  />
);
