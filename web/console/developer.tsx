import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { useRepeatedly } from '../client/repeatedly.ts';
import { Loaded } from '../components/status.tsx';
import { QueuePlaceFields } from './queue-place.tsx';
import { RegisterPage } from './register.tsx';

const Viewer = graphql(
  `
    query ConsoleViewer {
      viewer {
        accountUserId
        name
        email
        developer {
          id
          name
          email
          emailLost
          companyName
          websiteUrl
          bio
          status
          createdAt
          verifiedAt
          verification {
            ...QueuePlaceFields
          }
        }
      }
    }
  `,
  [QueuePlaceFields],
);

type ViewerData = NonNullable<import('gql.tada').ResultOf<typeof Viewer>['viewer']>;
export type DeveloperData = NonNullable<ViewerData['developer']>;

/** The service reports no changes of developers, so the page asks again while somebody waits for the verification. */
const WAITING_MS = 15_000;

const Current = createContext<DeveloperData | null>(null);

/** Returns the developer who is signed in. */
export function useDeveloper(): DeveloperData {
  const developer = useContext(Current);
  if (!developer) throw new Error('There is no developer here.');
  return developer;
}

/** Shows its content to developers, and the registration to accounts that are none yet. */
export function ForDevelopers({ children }: { children: ComponentChildren }) {
  const viewer = useData(Viewer, {});
  useRepeatedly(viewer.reload, viewer.data?.viewer?.developer?.status === 'UNVERIFIED' ? WAITING_MS : null);
  return (
    <Loaded from={viewer}>
      {({ viewer: account }) =>
        account?.developer ? (
          <Current.Provider value={account.developer}>{children}</Current.Provider>
        ) : (
          account && <RegisterPage account={account} onRegistered={viewer.reload} />
        )
      }
    </Loaded>
  );
}
