import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { listAssetSessions } from '@masthead/contract/assets/operations'
import { getServiceHistory } from '@masthead/contract/assets/past/history-operations'
import { hasService } from '@masthead/contract/assets/service'
import type { DataSession, Sim } from '@masthead/contract/assets/sim'
import { pageSize } from '@masthead/contract/kernel/page'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { q } from '../../api/query.ts'
import { ActionButton, useDenied } from '../../kit/ActionButton.tsx'
import { useClock } from '../../kit/clock.ts'
import { later } from '../../kit/later.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { cx } from '../../ui/cx.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StateShape, type Shape, type Tone } from '../../ui/StateShape.tsx'
import { whenIdle } from '../../ui/when-idle.ts'
import { DisconnectLine } from './DisconnectLine.tsx'
import { firstSteps } from '../first-steps.ts'
import { serviceOf, withoutSince, type Service } from '../service-path.ts'
import { cutAfter, latencyWords } from '../session-words.ts'
import { ServiceSteps } from './ServiceSteps.tsx'
import { actDenied, actOperations, actRefusal, actWords, type AssetAct } from '../sim/asset-acts.ts'
import { useAssetActs } from '../sim/use-asset-acts.tsx'

const marks: Record<Service['tone'], { shape: Shape; tone: Tone }> = {
  ok: { shape: 'done', tone: 'ok' },
  bad: { shape: 'octagon', tone: 'bad' },
  idle: { shape: 'ring', tone: 'idle' },
  info: { shape: 'half', tone: 'info' },
}

const LookBack = later(async () => (await import('../past/LookBack.tsx')).LookBack, <div className="m-4 h-14" />, whenIdle)
const PastMoment = later(async () => (await import('../past/PastMoment.tsx')).PastMoment, <Skeleton className="m-4 h-36" />)

/** The first page of an asset's sessions, which also the table of sessions shows; the newest comes first. */
export const useLastSession = ({ id }: Pick<Asset, 'id'>): DataSession | undefined =>
  useQuery(q(listAssetSessions, { params: { asset_id: id }, query: { page: 1, page_size: pageSize } })).data?.items[0]

/** Why the SIM has service or not: the conditions in their order, whole up to the break, then what restores it. */
export function ServicePanel({ asset, sim }: { asset: Asset; sim: Sim }) {
  // Words of time change by the minute at most; a new answer renders anyway.
  const minute = useClock((now) => Math.floor(now / 60_000)) * 60_000
  const { data: history } = useQuery({
    ...q(getServiceHistory, { params: { asset_id: asset.id } }),
    // Otherwise as it was read for the look back.
    enabled: sim.session === null && hasService(sim),
  })
  const service = serviceOf(sim, Math.max(minute, Date.parse(sim.state_changed_at ?? '') || 0), history?.refused)
  const acts = useAssetActs(asset, history?.refused?.pool_id)
  // The time that is looked back to; null: now.
  const [at, setAt] = useState<number | null>(null)
  const bad = at === null && service.tone === 'bad'
  const hint = asset.last_seen_at === null && sim.status === 'ready' ? firstSteps[asset.type] : null
  return (
    <section aria-label="Service" className={cx('min-w-0 overflow-clip rounded-lg border bg-bg', bad ? 'border-bad-line' : 'border-line')}>
      {at === null ? (
        <ServiceNow asset={asset} sim={sim} service={service} hint={hint} onOpen={acts.open} />
      ) : (
        <PastMoment asset={asset} sim={sim} at={at} />
      )}
      <LookBack asset={asset} at={at} onAt={setAt} />
      {acts.dialog}
    </section>
  )
}

function ServiceNow({
  asset,
  sim,
  service,
  hint,
  onOpen,
}: {
  asset: Asset
  sim: Sim
  service: Service
  hint: string | null
  onOpen: (act: AssetAct) => void
}) {
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3 p-4">
        <div className="min-w-0 flex-1 basis-80">
          <h2 className="flex items-start gap-2 text-md font-semibold">
            <StateShape {...marks[service.tone]} {...(sim.state === 'terminated' && { shape: 'cross' })} size={16} className="mt-0.5" />
            {service.title}
          </h2>
          {[...service.words, ...(hint ? [hint] : [])].map((words) => (
            <p key={words} className="mt-1 max-w-[74ch] text-fg-2 text-pretty">
              {words}
            </p>
          ))}
        </div>
      </div>
      <ServiceSteps steps={service.steps} offer={(act, isFirst) => <Offer asset={asset} act={act} isFirst={isFirst} onOpen={onOpen} />} />
      <ServiceFacts asset={asset} sim={sim} />
    </>
  )
}

/** What lifts a break: the first of them is the one to press. */
function Offer({ asset, act, isFirst, onOpen }: { asset: Asset; act: AssetAct; isFirst: boolean; onOpen: (act: AssetAct) => void }) {
  const { label, icon } = actWords[act]
  const denied = useDenied()
  return (
    <ActionButton
      size="small"
      icon={icon}
      color={isFirst ? 'primary-solid' : 'secondary'}
      operation={actOperations[act]}
      disabled={actDenied(act, denied) ?? actRefusal(act, asset)}
      onClick={() => onOpen(act)}
    >
      {label}
    </ActionButton>
  )
}

/** What is known of the break: since when, how the session was cut, and how far beyond its limit the SIM got. */
function ServiceFacts({ asset, sim }: { asset: Asset; sim: Sim }) {
  const last = useLastSession(asset)
  const since = withoutSince(sim)
  if (!since) return null
  // Only a cut that came with this break: the clocks of a block and of its disconnect differ by moments.
  const cut = last?.disconnect && Date.parse(last.disconnect.requested_at) > Date.parse(since) - 60_000 ? last.disconnect : null
  const { limit_used_bytes, limit_bytes } = sim.usage
  const over = limit_bytes !== null && sim.blocks.some(({ code }) => code === 'data_limit') ? (limit_used_bytes ?? 0) - limit_bytes : 0
  const took = cut && cutAfter(cut, since)
  return (
    <dl className="grid border-t border-line bg-chrome text-sm @sm:grid-flow-col @sm:auto-cols-fr">
      <FactCell label={sim.status === 'blocked' ? 'Blocked' : 'Deactivated'}>
        <RelativeTime at={since} />
        <span className="ml-2 text-xs text-fg-3">{formatExactHere(since)}</span>
      </FactCell>
      {cut && (
        <FactCell label="Live session">
          <DisconnectLine outcome={cut} />
        </FactCell>
      )}
      {over > 0 && (
        <FactCell label="Over the limit">
          {formatBytes(over)}
          {took !== null && <span className="ml-2 text-xs text-fg-3">cut after {latencyWords(took)}</span>}
          <Link className="link ml-2 text-xs" to={`/enforcements?asset_id=${asset.id}`}>
            Proof
          </Link>
        </FactCell>
      )}
    </dl>
  )
}

const FactCell = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="px-4 py-2.5 not-first:border-t not-first:border-line @sm:not-first:border-t-0 @sm:not-first:border-l">
    <dt className="text-xs text-fg-3">{label}</dt>
    <dd>{children}</dd>
  </div>
)
