import 'reflect-metadata';
import { Field, ObjectType, registerEnumType } from 'type-graphql';

export enum Severity {
  ERROR = 'ERROR',
  WARNING = 'WARNING',
}
registerEnumType(Severity, {
  name: 'Severity',
  description: 'Whether a finding blocks a submission.',
  valuesConfig: {
    ERROR: { description: 'Blocks the submission until it is fixed.' },
    WARNING: { description: 'Does not block the submission; the reviewer sees it too.' },
  },
});

/** One problem that an automatic check found in a listing. */
@ObjectType({ description: 'One problem that the automatic checks found in a listing.' })
export class Finding {
  @Field(() => String, { description: 'The listing field that has the problem, such as `screenshots`.' })
  field!: string;

  @Field(() => Severity, { description: 'Whether it blocks a submission.' })
  severity!: Severity;

  @Field(() => String, { description: 'Machine-readable kind of the problem, such as `too_few`.' })
  code!: string;

  @Field(() => String, { description: 'Description of the problem.' })
  message!: string;

  @Field(() => String, { description: 'How to fix it.' })
  fix!: string;
}
