import { useDeveloper } from './developer.tsx';
import { QueuePlace } from './queue-place.tsx';

/** Says where the verification of the developer stands. Nothing is said of those who are verified. */
export function Verification() {
  const { status, verification } = useDeveloper();
  if (status === 'VERIFIED') return null;
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
    <section class="card">
      <h2>Your account is being verified</h2>
      <p>
        You can write listings now. You can create API keys and submit apps when an administrator has verified
        your account; you get an e-mail.
      </p>
      {verification && <QueuePlace place={verification} since="Registered" />}
    </section>
  );
}
