/** An account that one click signs in as, in development only. */
export interface DemoAccount {
  readonly accountUserId: string;
  readonly admin: boolean;
  readonly name: string;
  /** Says who the account is, such as "Developer with apps". */
  readonly label: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
}

/** The settings with which a browser signs in at the identity provider. */
export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: string;
  readonly audience: string;
  readonly redirectUri: string;
  /** Null if the provider could not be reached when the page was loaded. */
  readonly endpoints: { readonly authorization: string; readonly token: string } | null;
}

export type Area = 'market' | 'console' | 'desk';

interface Settings {
  /** Path of the service in its public URL, without a trailing slash. */
  readonly base: string;
  readonly area: Area;
  /** Null outside of development. */
  readonly demoAccounts: readonly DemoAccount[] | null;
  /** Null if no client of an identity provider is configured. */
  readonly signIn: ProviderSettings | null;
  /** Page of the host product that installs an app, with `{id}` and `{slug}`; absent if there is none. */
  readonly installUrl?: string;
}

/** The settings that the service has embedded in the page. */
export const settings: Settings = JSON.parse(document.getElementById('settings')?.textContent ?? '{}');

/** Returns the path of a page of any area, such as `/market/apps/time-tracker`. */
export const pathOf = (path: string): string => settings.base + path;
