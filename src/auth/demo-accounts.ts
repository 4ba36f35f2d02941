/** Somebody for whom the service signs a token in development (D14). */
export type DemoAccount = { accountUserId: string; admin: boolean; name: string; email?: string };

/** Who tries things out in development: the same in the pages, the banner and the demo data. `newcomer` is nobody's account yet, so that it can register. */
export const DEMO_ACCOUNTS = {
  administrator: {
    accountUserId: 'demo-admin',
    admin: true,
    name: 'Demo administrator',
    email: 'demo-admin@example.com',
  },
  developer: { accountUserId: 'demo-developer', admin: false, name: 'Demo developer' },
  newcomer: { accountUserId: 'newcomer', admin: false, name: 'Nia Newcomer' },
} satisfies Record<string, DemoAccount>;
