/** Module of the playground page: what is stored in this browser, of Altair by the names of its version 8. */
export const STORAGE_SCRIPT = `
const DATABASE = 'AltairDB';
const TABLE = 'appState';

const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Returns whether Altair will restore the tabs of an earlier visit. */
export async function hasStoredTabs(namespace) {
  const databases = await indexedDB.databases();
  // To open a database that does not exist would create it.
  if (!databases.some(({ name }) => name === DATABASE)) return false;
  const database = await settled(indexedDB.open(DATABASE));
  try {
    if (!database.objectStoreNames.contains(TABLE)) return false;
    const table = database.transaction(TABLE).objectStore(TABLE);
    return (await settled(table.getKey('[' + namespace + ']::windowsMeta'))) !== undefined;
  } finally {
    database.close();
  }
}

let forgotten = false;

/** Notes the open tab. Altair does so too, but too late for somebody who opens the page and signs in at once. */
export function rememberOpenTab(namespace, title) {
  // Altair still draws while its state is deleted.
  if (!forgotten) sessionStorage.setItem(namespace, title);
}

export const openTabOf = (namespace) => sessionStorage.getItem(namespace);

/** Deletes everything that Altair has stored: tabs, responses, environments. */
export async function forgetTabs() {
  forgotten = true;
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (key.startsWith('marketplace_')) storage.removeItem(key);
  await settled(indexedDB.deleteDatabase(DATABASE)).catch(() => undefined);
}
`;
