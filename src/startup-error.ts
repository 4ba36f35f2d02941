/** Why the service cannot start, in words for the person at the terminal: shown without a stack trace. */
export class StartupError extends Error {}
