/** An account that the built-in identity provider signs tokens for in development (D14). */
export type DemoAccount = {
  accountUserId: string;
  admin: boolean;
  name: string;
  email?: string;
  emailVerified?: boolean;
};

/** A demo account with the text of the button that signs in with it. */
type OfferedAccount = DemoAccount & { label: string };

/**
 * The accounts of the pages, the banner and the demo data. There are two administrators, so that claims and the four-eyes
 * rules can be tried out. `waiting` is a developer who is not verified yet, and `newcomer` is not registered, so that
 * registration can be tried out.
 */
export const DEMO_ACCOUNTS = {
  administrator: {
    accountUserId: 'demo-admin',
    admin: true,
    name: 'Demo administrator',
    email: 'demo-admin@example.com',
    label: 'Administrator',
  },
  secondAdministrator: {
    accountUserId: 'demo-admin-2',
    admin: true,
    name: 'Rosa Reviewer',
    email: 'demo-admin-2@example.com',
    label: 'Second administrator',
  },
  developer: {
    accountUserId: 'demo-developer',
    admin: false,
    name: 'Demo developer',
    label: 'Developer with apps',
  },
  waiting: {
    accountUserId: 'demo-waiting',
    admin: false,
    name: 'Wanda Waiting',
    label: 'Developer awaiting verification',
  },
  newcomer: {
    accountUserId: 'newcomer',
    admin: false,
    name: 'Nia Newcomer',
    email: 'nia@example.com',
    emailVerified: true,
    label: 'For trying out the registration',
  },
} satisfies Record<string, OfferedAccount>;
