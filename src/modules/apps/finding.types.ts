import 'reflect-metadata';
import { Field, ObjectType, registerEnumType } from 'type-graphql';

export enum Severity {
  ERROR = 'ERROR',
  WARNING = 'WARNING',
}
registerEnumType(Severity, {
  name: 'Severity',
  description: 'How much a finding matters.',
  valuesConfig: {
    ERROR: { description: 'Refuses the submission.' },
    WARNING: { description: 'Goes along to the reviewer.' },
  },
});

/** One thing that a check of a listing found. */
@ObjectType({ description: 'One thing that the automatic checks found in a listing.' })
export class Finding {
  @Field(() => String, { description: 'The field it is about.' })
  field!: string;

  @Field(() => Severity, { description: 'How much it matters.' })
  severity!: Severity;

  @Field(() => String, { description: 'Its kind.' })
  code!: string;

  @Field(() => String, { description: 'What was found.' })
  message!: string;

  @Field(() => String, { description: 'What to do about it.' })
  fix!: string;
}
