/** Events of the pipelines that may publish an app (D407, D408). */
export type PublisherEvent =
  | {
      kind: 'publisher.added';
      developerId: string;
      appId: string;
      /** The trusted publisher. */
      publisherId: string;
      /** The repository of the pipeline, and the issuer of its identities. */
      repository: string;
      issuer: string;
    }
  | { kind: 'publisher.removed'; developerId: string; appId: string; publisherId: string }
  | { kind: 'publisher.key-issued'; developerId: string; appId: string; publisherId: string; keyId: string };
