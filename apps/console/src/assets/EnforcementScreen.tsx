import { useQuery } from '@tanstack/react-query'
import type { EnforcementProof } from '@masthead/contract/assets/enforcement'
import { getEnforcement } from '@masthead/contract/assets/enforcement-operations'
import { formatDuration, formatExact } from '@masthead/contract/kernel/time'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { Download, Printer, ShieldCheck } from 'lucide-react'
import { Link, useParams } from 'react-router'
import { q } from '../api/query.ts'
import { Breadcrumbs } from '../kit/Breadcrumbs.tsx'
import { NotThere } from '../kit/NotThere.tsx'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Cell, Frame, Panel, Stat } from '../ui/Panel.tsx'
import { saveFile } from '../ui/save-file.ts'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { StateShape } from '../ui/StateShape.tsx'
import { proofSteps } from './proof-steps.ts'
import { latencyWords } from './session-words.ts'

const way = [{ label: 'Limits enforced', to: '/enforcements' }]

/** One limit that was reached, from the last report to the end of the session, with what proves it. */
export default function EnforcementScreen() {
  const { enforcementID = '' } = useParams()
  const { data, error, isFetching, refetch } = useQuery(q(getEnforcement, { params: { enforcement_id: enforcementID } }))
  if (error && !data)
    return (
      <>
        <Banner title="Proof of a cut" crumbs={<Breadcrumbs way={way} here={enforcementID} />} />
        {error.status === 404 ? (
          <NotThere title="No such limit was reached" to="/enforcements" way="All limits that were reached">
            Nothing on this account has the id <span className="mono wrap-anywhere">{enforcementID}</span>.
          </NotThere>
        ) : (
          <ErrorState title="The proof could not be loaded" failure={error} onRetry={() => void refetch()} />
        )}
      </>
    )
  return (
    <>
      <Banner
        title="Proof of a cut"
        crumbs={<Breadcrumbs way={way} here={data?.asset_name ?? enforcementID} named={data !== undefined} />}
        meta={
          data && (
            <>
              <Link className="link" to={`/assets/${data.asset_id}/network`}>
                {data.asset_name}
              </Link>
              <CopyText text={data.iccid} label="ICCID" />
              <span>{formatExact(data.reached_at)}</span>
            </>
          )
        }
        end={
          data && (
            <>
              <Button icon={Printer} color="ghost" onClick={() => print()}>
                Print
              </Button>
              <Button icon={Download} onClick={() => saveFile(`proof-${data.id}.json`, JSON.stringify(data, null, 2), 'application/json')}>
                Download JSON
              </Button>
            </>
          )
        }
      />
      {data ? (
        <div className="grid gap-5">
          <Head proof={data} />
          <div className="grid items-start gap-5 @lg:grid-cols-[minmax(0,1fr)_340px]">
            <Panel title="What happened, in order">
              <Steps proof={data} />
            </Panel>
            <ChainPanel proof={data} checking={isFetching} onCheck={() => void refetch()} />
          </div>
        </div>
      ) : (
        <Panel>
          <SkeletonLines lines={12} />
        </Panel>
      )}
    </>
  )
}

const percentWords = (percent: number) => (percent > 0 && percent < 0.01 ? 'under 0.01 %' : `${percent.toFixed(2)} %`)

function Head({ proof }: { proof: EnforcementProof }) {
  const { request_ms, latency_ms, cut_at, overshoot_bytes, limit_bytes, limit_period, by_change, session, chain } = proof
  const share =
    limit_period === 'credits'
      ? 'since no credits were left'
      : by_change
        ? 'since the change'
        : `${percentWords((100 * overshoot_bytes) / limit_bytes)} of the limit`
  const interval = session?.interim_seconds ? `; what was used between two reports, ${formatDuration(session.interim_seconds)} apart` : ''
  return (
    <Frame className="grid-cols-2 @md:grid-cols-4">
      <Cell>
        <Stat
          label={by_change ? 'From the change to the request' : 'From the report to the request'}
          value={request_ms === null ? '—' : latencyWords(request_ms)}
        />
        <p className="mt-1 text-xs text-fg-3">
          {request_ms !== null ? 'to the Disconnect-Request' : cut_at === null ? 'not asked yet' : 'no session was cut'}
        </p>
      </Cell>
      <Cell>
        <Stat
          label="To the end of the session"
          value={cut_at === null ? 'goes on' : latency_ms === null ? '—' : latencyWords(latency_ms)}
        />
        <p className="mt-1 text-xs text-fg-3">
          {cut_at === null ? 'a session is open' : latency_ms === null ? 'no session was cut' : 'the last session was gone'}
        </p>
      </Cell>
      <Cell>
        <Stat label={limit_period === 'credits' ? 'Beyond the credits' : 'Beyond the limit'} value={formatBytes(overshoot_bytes)} />
        <p className="mt-1 text-xs text-fg-3">
          {share}
          {interval}
        </p>
      </Cell>
      <Cell>
        <Stat label="Record" value={!chain ? 'Pending' : chain.unchanged ? 'Unchanged' : 'Altered'} />
        <p className="mt-1 text-xs text-fg-3">
          {chain ? `entry ${chain.number.toLocaleString('en')} of the hash chain` : 'in the hash chain within some seconds'}
        </p>
      </Cell>
    </Frame>
  )
}

function Steps({ proof }: { proof: EnforcementProof }) {
  return (
    <ol>
      {proofSteps(proof).map(({ title, words, at, since }, index) => (
        <li
          key={title}
          className="relative grid grid-cols-[24px_minmax(0,1fr)_auto] gap-x-3 pb-4 before:absolute before:top-7 before:bottom-1 before:left-[11.5px] before:w-px before:bg-line-2 last:pb-0 last:before:hidden"
        >
          <span aria-hidden className="grid size-6 place-items-center rounded-full border border-line-2 text-xs text-fg-2 tabular-nums">
            {index + 1}
          </span>
          <span className="grid min-w-0">
            <span className="font-medium">{title}</span>
            <span className="text-fg-2 text-pretty wrap-anywhere">{words}</span>
          </span>
          <span className="mono grid content-start justify-items-end text-xs leading-5 text-fg-2">
            {at && <time dateTime={at}>{at.slice(11, 23)}</time>}
            {since && <span className="text-fg-3">{since}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}

const hex = (hash: string) => `${hash.slice(0, 16).replaceAll(/(.{4})(?=.)/g, '$1 ')} … ${hash.slice(-8, -4)} ${hash.slice(-4)}`

function ChainPanel({ proof: { chain }, checking, onCheck }: { proof: EnforcementProof; checking: boolean; onCheck: () => void }) {
  return (
    <Panel
      title="Hash chain"
      end={
        <Button size="small" icon={ShieldCheck} loading={checking} onClick={onCheck}>
          Check again
        </Button>
      }
    >
      <p className="text-fg-2 text-pretty">
        Each activity holds the hash of the one before. Changing any of them would change all that follow.
      </p>
      {chain ? (
        <>
          <dl className="mt-3 grid gap-2 rounded-md border border-line bg-sunken px-3 py-2">
            <Hash label={`Before, ${(chain.number - 1).toLocaleString('en')}`} hash={chain.before} />
            <Hash label={`This, ${chain.number.toLocaleString('en')}`} hash={chain.hash} strong />
            {chain.after && <Hash label={`After, ${(chain.number + 1).toLocaleString('en')}`} hash={chain.after} />}
          </dl>
          <p className="mt-3 flex items-start gap-1.5">
            <StateShape shape={chain.unchanged ? 'done' : 'octagon'} tone={chain.unchanged ? 'ok' : 'bad'} className="mt-1" />
            <span>
              {chain.unchanged ? 'The activity is as it was recorded.' : 'The activity is not as it was recorded: it was altered.'}{' '}
              <span className="text-fg-3">Checked {formatExact(chain.checked_at)}.</span>
            </span>
          </p>
        </>
      ) : (
        <p className="mt-3 text-fg-3">The activity enters the hash chain within some seconds.</p>
      )}
    </Panel>
  )
}

const Hash = ({ label, hash, strong = false }: { label: string; hash: string; strong?: boolean }) => (
  <div>
    <dt className="text-xs text-fg-3">{label}</dt>
    <dd className={strong ? 'mono text-xs font-semibold' : 'mono text-xs'} title={hash}>
      {hex(hash)}
    </dd>
  </div>
)
