import type { ResultOf } from 'gql.tada';
import { graphql } from '../client/graphql.ts';
import { AllowedActionFields } from './action-button.tsx';
import { AppListingFields, VersionListingFields } from './listing.ts';
import { QueuePlaceFields } from './queue-place.tsx';

export const RejectionFields = graphql(`
  fragment RejectionFields on Rejection {
    guidance
    rejectedAt
    reasons {
      code
      field
      message
      addressed
    }
  }
`);
export type RejectionData = ResultOf<typeof RejectionFields>;

/** An app with everything that its pages have in common, and its open version. */
export const AppQuery = graphql(
  `
    query ConsoleApp($id: ID!) {
      myApp(id: $id) {
        ...AppListingFields
        slug
        status
        environment
        featured
        approvedAt
        allowedActions {
          ...AllowedActionFields
        }
        review {
          ...QueuePlaceFields
        }
        rejection {
          ...RejectionFields
        }
        openVersion {
          ...VersionListingFields
          baseRevision
          status
          allowedActions {
            ...AllowedActionFields
          }
          review {
            ...QueuePlaceFields
          }
          rejection {
            ...RejectionFields
          }
          changes {
            field
            before
            after
          }
          conflicts {
            field
            base
            live
            proposed
          }
        }
      }
    }
  `,
  [AppListingFields, VersionListingFields, AllowedActionFields, QueuePlaceFields, RejectionFields],
);
export type AppData = NonNullable<ResultOf<typeof AppQuery>['myApp']>;
export type VersionData = NonNullable<AppData['openVersion']>;

export const AppChanged = graphql(`
  subscription ConsoleAppChanged($id: ID!) {
    appChanged(id: $id) {
      app {
        id
        revision
        status
      }
    }
  }
`);
