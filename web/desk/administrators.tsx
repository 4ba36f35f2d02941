import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { useTitle, Viewer } from '../components/shell.tsx';
import { Loaded } from '../components/status.tsx';
import { useFilters } from './filters.tsx';

const Names = graphql(`
  query DeskAdministratorNames {
    administrators { accountUserId name }
  }
`);

const account = createContext({ id: '', names: new Map<string, string>() });

/** Returns the account id of the administrator. */
export const useAccount = (): string => useContext(account).id;

/** Returns a function that names the account of an administrator; without a name it is the id. */
export function useAccountName(): (id: string) => string {
  const { id: own, names } = useContext(account);
  return (id) => `${names.get(id) ?? id}${id === own ? ' (you)' : ''}`;
}

/** A filter with one administrator, who is chosen by name. */
export function FilterAdministrator({ name, label, all }: { name: string; label: string; all: string }) {
  const [params, set] = useFilters();
  const current = params.get(name) ?? '';
  const { names } = useContext(account);
  const listed = new Map([...(current ? [[current, current] as const] : []), ...names]);
  return (
    <select
      class="filter"
      aria-label={label}
      value={current}
      onChange={({ currentTarget }) => set(name, currentTarget.value)}
    >
      <option value="">{all}</option>
      {[...listed].map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  );
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
          <Named id={person.accountUserId} name={person.name ?? person.accountUserId}>
            {children}
          </Named>
        ) : (
          <NoAdministrator name={person?.name ?? person?.accountUserId ?? ''} />
        )
      }
    </Loaded>
  );
}

/** The names of the other administrators are filled in when they are known. */
function Named({ id, name, children }: { id: string; name: string; children: ComponentChildren }) {
  const { data } = useData(Names, {});
  const known = data?.administrators ?? [];
  const value = useMemo(
    () => ({
      id,
      names: new Map([...known.map((other) => [other.accountUserId, other.name] as const), [id, name]]),
    }),
    [known, id, name],
  );
  return <account.Provider value={value}>{children}</account.Provider>;
}

function NoAdministrator({ name }: { name: string }) {
  useTitle('No access · Review desk');
  return (
    <section class="card sign-in">
      <h1>You are not an administrator</h1>
      <p>
        You are signed in as <strong dir="auto">{name}</strong>. Ask an administrator for access, or sign in
        with another account.
      </p>
    </section>
  );
}
