import { Badge, wordsOf } from '../components/badge.tsx';

/** Developers read one word for a submission that waits, whether or not a reviewer has begun. */
const shownAs = (status: string) => (status === 'PENDING' ? 'IN_REVIEW' : status);

/** The status of an app or version in words. */
export const statusWords = (status: string): string => wordsOf(shownAs(status));

/** The status of an app or version. */
export const StatusBadge = ({ status }: { status: string }) =>
  status === 'PENDING' ? <Badge value={shownAs(status)} tone="info" /> : <Badge value={status} />;
