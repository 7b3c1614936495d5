import type { Asset } from '@masthead/contract/assets/asset'
import type { DataSession, Sim } from '@masthead/contract/assets/sim'
import { formatExactHere, formatRelative } from '@masthead/contract/kernel/time'
import { formatSteadyBytes } from '@masthead/contract/usage/bytes'
import type { ReactNode } from 'react'
import { useClock } from '../../kit/clock.ts'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { CopyText } from '../../ui/CopyText.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { StatusBadge } from '../../ui/StatusDot.tsx'
import { DisconnectLine } from './DisconnectLine.tsx'
import { useLastSession } from './ServicePanel.tsx'
import { networkWords, sessionLength } from '../session-words.ts'

/** The live session; else how the last one ended. */
export function SessionPanel({ asset, sim: { session } }: { asset: Asset; sim: Sim }) {
  const last = useLastSession(asset)
  const shown = session ?? last
  return (
    <Panel flush title="Session" end={<StatusBadge status={!session ? 'none' : session.silent ? 'silent' : 'live'} />}>
      {!shown ? (
        <p className="px-4 py-3 text-fg-3">No session yet.</p>
      ) : (
        <>
          <dl className="grid grid-cols-2 gap-px overflow-clip rounded-b-[7px] bg-line">
            {session ? <LiveFacts session={session} /> : <EndFacts session={shown} />}
            <SharedFacts session={shown} />
          </dl>
          {shown.disconnect && (
            <p className="border-t border-line px-4 py-2.5">
              <DisconnectLine outcome={shown.disconnect} />
            </p>
          )}
        </>
      )}
    </Panel>
  )
}

function LiveFacts({ session }: { session: DataSession }) {
  const length = useClock((now) => sessionLength(session, now))
  const lastSeen = useClock((now) => formatRelative(session.updated_at, now))
  return (
    <>
      <FactCell label="Online for">
        <span title={`Since ${formatExactHere(session.started_at)}`}>{length}</span>
      </FactCell>
      <FactCell label="Last report">
        <span title={formatExactHere(session.updated_at)}>{lastSeen}</span>
      </FactCell>
    </>
  )
}

const EndFacts = ({ session }: { session: DataSession }) => (
  <>
    <FactCell label="Ended">
      <RelativeTime at={session.ended_at} />
    </FactCell>
    <FactCell label="End cause">{session.end_cause ?? 'Not reported'}</FactCell>
  </>
)

const SharedFacts = ({ session }: { session: DataSession }) => (
  <>
    <FactCell label="Network">{networkWords(session) ?? '—'}</FactCell>
    <FactCell label="Country">{countryWords(session.network?.country) ?? '—'}</FactCell>
    <FactCell label="IP">
      <CopyText text={session.ip} label="IP address" />
    </FactCell>
    <FactCell label="APN">{session.apn ? <span className="mono">{session.apn}</span> : '—'}</FactCell>
    <FactCell label="Download">{formatSteadyBytes(session.bytes_down)}</FactCell>
    <FactCell label="Upload">{formatSteadyBytes(session.bytes_up)}</FactCell>
    <FactCell label="Cell">
      {session.cell ? (
        <span className="mono" title={session.cell}>
          {session.cell}
        </span>
      ) : (
        '—'
      )}
    </FactCell>
    <FactCell label="Gateway">{session.gateway}</FactCell>
  </>
)

const countries = new Intl.DisplayNames('en', { type: 'region' })
const countryWords = (code: string | null | undefined) => (code ? countries.of(code) : undefined)

const FactCell = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0 bg-bg px-4 py-2">
    <dt className="text-xs text-fg-3">{label}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
)
