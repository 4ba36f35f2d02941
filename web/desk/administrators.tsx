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

const account = createContext({ id: '', name: '' });

/** Returns the account id of the administrator. */
export const useAccount = (): string => useContext(account).id;

/** Returns a function that names an account: the administrator by name, others by their id, which is all that is known. */
export function useAccountName(): (id: string) => string {
  const own = useContext(account);
  return (id) => (id === own.id ? `${own.name} (you)` : id);
}

/** The name of an account, as far as it is known. */
export const AccountName = ({ id }: { id: string }) => <bdi>{useAccountName()(id)}</bdi>;

/** Shows its content to administrators, and tells others that the desk is not for them. */
export function Administrators({ children }: { children: ComponentChildren }) {
  const viewer = useData(Viewer, {});
  return (
    <Loaded from={viewer}>
      {({ viewer: person }) =>
        person?.isAdministrator ? (
          <account.Provider value={{ id: person.accountUserId, name: person.name ?? person.accountUserId }}>
            {children}
          </account.Provider>
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
