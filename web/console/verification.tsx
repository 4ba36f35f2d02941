import { Link } from 'wouter-preact';
import { useDeveloper } from './developer.tsx';
import { QueuePlace } from './queue-place.tsx';

/** Says where the verification of the developer stands, and what the account lacks. Nothing is said if it lacks nothing. */
export function Verification() {
  const { status, verification, emailLost } = useDeveloper();
  if (status === 'VERIFIED') return emailLost ? <AddressLost /> : null;
  if (status === 'SUSPENDED')
    return (
      <section class="note bad">
        <h2>Your account is suspended</h2>
        <p>
          Your API keys do not work and your apps are not public. The e-mail about it has the reason; answer
          it to contact support.
        </p>
      </section>
    );
  return (
    <>
      {emailLost && <AddressLost />}
      <section class="card">
        <h2>Your account is being verified</h2>
        <p>
          You can write listings now. You can create API keys and submit apps when an administrator has
          verified your account; you get an e-mail.
        </p>
        {verification && <QueuePlace place={verification} since="Registered" usual="24 hours" />}
      </section>
    </>
  );
}

/** Asks for another e-mail address, because another account has proven that the former one is its own. */
const AddressLost = () => (
  <section class="note warn">
    <h2>Your account needs another e-mail address</h2>
    <p>
      Another account has confirmed your address as its own. You get no e-mails, and cannot submit apps, until
      you <Link href="/profile">give another address</Link>. Everything else works as before.
    </p>
  </section>
);
