import { Icon } from './icon.tsx';

/** Stands beside the name of a developer whom the administrators have verified. */
export const Verified = () => (
  <span class="verified" title="The marketplace has verified who this developer is.">
    <Icon name="verified" /> Verified
  </span>
);
