import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { pathOf } from '../client/settings.ts';
import { useTitle } from '../components/shell.tsx';
import { Loaded } from '../components/status.tsx';

const Viewer = graphql(`
  query DeskViewer {
    viewer { accountUserId isAdministrator name }
  }
`);

const account = createContext('');

/** Returns the account id of the administrator. */
export const useAccount = (): string => useContext(account);

/** Shows its content to administrators, and tells others that the desk is not for them. */
export function Administrators({ children }: { children: ComponentChildren }) {
  const viewer = useData(Viewer, {});
  return (
    <Loaded from={viewer}>
      {({ viewer: person }) =>
        person?.isAdministrator ? (
          <account.Provider value={person.accountUserId}>{children}</account.Provider>
        ) : (
          <NoAdministrator name={person?.name ?? person?.accountUserId ?? ''} />
        )
      }
    </Loaded>
  );
}

function NoAdministrator({ name }: { name: string }) {
  useTitle('No access · Review desk');
  return (
    <section class="card sign-in">
      <h1>You are not an administrator</h1>
      <p>
        You are signed in as <strong dir="auto">{name}</strong>. The review desk is for administrators of the
        marketplace. Ask one of them for access, or sign in with another account.
      </p>
      <p>
        Developers manage their apps in the <a href={pathOf('/console')}>console</a>.
      </p>
    </section>
  );
}
