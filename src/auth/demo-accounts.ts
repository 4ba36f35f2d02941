/** An account that the built-in identity provider signs tokens for in development (D14). */
export type DemoAccount = { accountUserId: string; admin: boolean; name: string; email?: string };

/** The accounts of the pages, the banner and the demo data. `newcomer` is not registered, so that registration can be tried out. */
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
