/** A value whose JSON is stored: REST sends it as it is, with the fields and their order that the GraphQL type publishes. */
export abstract class StoredJson {
  constructor(readonly json: string) {}
}
