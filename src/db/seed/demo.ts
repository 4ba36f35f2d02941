/** Demo data; written below. */
export async function seedDemo(_options: { databaseUrl: string }): Promise<void> {}
