import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { PhoneCall as PhoneIcon } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../../../app/api.ts';
import { get } from '../../../app/query.ts';
import { session as signedIn } from '../../../app/session.ts';
import { t } from '../../../app/words.ts';
import { Refusal } from '../../../parts/action.tsx';
import { SeverityIcon } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { TextField } from '../../../parts/text-field.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { CallSteps } from '../../telephony/call-steps.tsx';
import { isDialable, missedBecause, refusedNumber } from './phone-facts.ts';
import { faultWords, Links } from './stages.tsx';
import { type Test, useTester } from './tester.ts';

/** The number of this user's phone, as this browser keeps it. */
const numberKey = () => `parlance.testNumber.${signedIn.get()?.user.id ?? 0}`;
const readNumber = (): string | null => {
  try {
    return localStorage.getItem(numberKey());
  } catch {
    return null;
  }
};
const keepNumber = (number: string): void => {
  try {
    localStorage.setItem(numberKey(), number);
  } catch {
    // It is asked for again.
  }
};

/** Calls a phone with the draft, and follows the call. */
export function PhoneCall({
  test,
  isSimulated,
  children,
}: {
  test: Test | null;
  isSimulated: boolean;
  children: ReactNode;
}) {
  const connections = useQuery(get('/organizations/telephony-configs', {}));
  const preferences = useQuery(get('/organizations/preferences', {}));
  return (
    <Loaded query={connections} rows={3}>
      {({ configurations }) =>
        configurations.some(({ is_ready_for_outbound: isReady }) => isReady) ? (
          <Loaded query={preferences} rows={3}>
            {({ test_phone_number: ofAll }) => (
              <>
                {children}
                <Form test={test} isSimulated={isSimulated} initial={readNumber() ?? ofAll ?? ''} />
              </>
            )}
          </Loaded>
        ) : (
          <div className="begin">
            <h2 className="h2">
              {t(configurations.length === 0 ? 'rail.noCarrier' : 'rail.carrierNotReady')}
            </h2>
            <p className="t-2">
              {t(configurations.length === 0 ? 'rail.noCarrierWhy' : 'rail.carrierNotReadyWhy')}
            </p>
            <Link to="/telephony" className="btn">
              {t('rail.toTelephony')}
            </Link>
          </div>
        )
      }
    </Loaded>
  );
}

function Form({ test, isSimulated, initial }: { test: Test | null; isSimulated: boolean; initial: string }) {
  const tester = useTester();
  const [number, setNumber] = useState(initial);
  const [isLacking, setLacking] = useState(false);
  const isGoing = test?.phase === 'starting' || test?.phase === 'going';
  const call = (event: FormEvent) => {
    event.preventDefault();
    setLacking(!isDialable(number));
    if (isGoing || !isDialable(number)) return;
    keepNumber(number.trim());
    void tester.phone(number.trim());
  };
  return (
    <form className="foot begin" onSubmit={call}>
      {test !== null && <Stage test={test} />}
      <TextField
        label={t('rail.yourNumber')}
        isCode
        value={number}
        onChange={(next) => {
          setNumber(next);
          setLacking(false);
        }}
        autoComplete="tel"
        placeholder="+12025550143"
        {...(isLacking ? { error: t('rail.numberLacks') } : {})}
      />
      <p className="small t-2">{t(isSimulated ? 'rail.phoneSimulated' : 'rail.phoneWhy')}</p>
      <div className="row wrap">
        <Button kind="primary" size="md" type="submit" sends icon={PhoneIcon} isDisabled={isGoing}>
          {t(test === null || isGoing ? 'rail.call' : 'rail.callAgain')}
        </Button>
        {test !== null && <Links test={test} />}
      </div>
    </form>
  );
}

function Stage({ test: { phase, run, fault } }: { test: Test }) {
  if (phase === 'failed') return <Refused fault={fault} />;
  const missed = run === null ? null : missedBecause(run);
  return (
    <>
      <CallSteps of={run} />
      {missed !== null && <p className="text-ink">{t(`rail.missed.${missed}`)}</p>}
      {phase !== 'over' && <p className="t-2">{t('rail.phoneLater')}</p>}
    </>
  );
}

function Refused({ fault }: { fault: unknown }) {
  if (!(fault instanceof ApiError))
    return (
      <p role="alert" className="text-bad-text">
        {faultWords(fault)}
      </p>
    );
  const number = refusedNumber(fault.detail);
  if (number === null && fault.message !== 'telephony_not_configured') return <Refusal error={fault} />;
  return (
    <div role="alert" className="flex items-start gap-2 text-bad-text">
      <span className="mt-0.5">
        <SeverityIcon is="bad" />
      </span>
      <p>
        {t(number === null ? 'rail.noCarrierWhy' : `rail.numberRefused.${number}`)}{' '}
        {number === 'blocked' && (
          <Link to="/contacts/blocked" className="link">
            {t('rail.toBlocked')}
          </Link>
        )}
      </p>
    </div>
  );
}
