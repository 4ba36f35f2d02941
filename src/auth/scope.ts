/** A permission of an API key. */
export enum Scope {
  APP_CREATE = 'APP_CREATE',
  APP_READ = 'APP_READ',
  APP_UPDATE = 'APP_UPDATE',
  APP_DELETE = 'APP_DELETE',
  ANALYTICS_READ = 'ANALYTICS_READ',
}
