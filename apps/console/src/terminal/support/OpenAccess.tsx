import { supportWords, type SupportAccess } from '@masthead/contract/terminal/support'
import { allowSupport, endSupport, refuseSupport } from '@masthead/contract/terminal/support-operations'
import { Link } from 'react-router'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { useClock } from '../../kit/clock.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { StateShape } from '../../ui/StateShape.tsx'

type Doing = { onAllow: () => void; onRefuse: () => void; onEnd: () => void }

/** "0:38:12" until a time. */
function LeftUntil({ at }: { at: string }) {
  const words = useClock((now) => {
    const s = Math.max(0, Math.round((Date.parse(at) - now) / 1000))
    const two = (n: number) => String(n).padStart(2, '0')
    return `${Math.floor(s / 3600)}:${two(Math.floor((s % 3600) / 60))}:${two(s % 60)}`
  })
  return <span className="tabular-nums">{words}</span>
}

/** A request that waits for an answer, or access that support has now. */
export function OpenAccess({ access, onAllow, onRefuse, onEnd }: { access: SupportAccess } & Doing) {
  const { state, staff, asset_id, asset_name, reason, asked_at, allowed_at, allowed_by, until, minutes, standing, terminals } = access
  const asked = state === 'asked'
  const open = terminals.filter((one) => one.state !== 'ended')
  return (
    <section className="overflow-clip rounded-lg border border-line-2 bg-bg" aria-label={`${staff}, ${asset_name}`}>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3 p-4">
        <div className="min-w-0 flex-1 basis-72">
          <h2 className="flex items-start gap-2 text-md font-semibold wrap-anywhere">
            <span className="flex-none pt-1">
              <StateShape shape={asked ? 'busy' : 'diamond'} tone="info" />
            </span>
            {asked
              ? `${staff} of support asks for the terminal of ${asset_name}`
              : `${staff} of support may use the terminal of ${asset_name}`}
          </h2>
          <p className="mt-1 text-fg-2 text-pretty wrap-anywhere">“{reason}”</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {asked ? (
            <>
              <ActionButton operation={refuseSupport} onClick={onRefuse}>
                Refuse
              </ActionButton>
              <ActionButton operation={allowSupport} color="success" onClick={onAllow}>
                Allow
              </ActionButton>
            </>
          ) : (
            <>
              {open[0]?.state === 'open' && (
                <LinkButton as={Link} to={`/terminal?session=${open[0].id}`}>
                  Watch along
                </LinkButton>
              )}
              <ActionButton operation={endSupport} color="danger" onClick={onEnd}>
                End access now
              </ActionButton>
            </>
          )}
        </div>
      </div>
      <dl className="grid grid-cols-1 gap-px border-t border-line bg-line text-sm @sm:grid-cols-4 [&>div]:bg-bg [&>div]:px-4 [&>div]:py-2.5 [&_dt]:text-xs [&_dt]:text-fg-3">
        <div>
          <dt>Device</dt>
          <dd className="truncate">
            <Link className="link" to={`/assets/${asset_id}/device`}>
              {asset_name}
            </Link>
          </dd>
        </div>
        <div>
          <dt>{asked ? 'Asked' : 'Allowed'}</dt>
          <dd>
            <RelativeTime at={asked ? asked_at : allowed_at} />
            {!asked && (standing ? ', by standing consent' : `, by ${allowed_by}`)}
          </dd>
        </div>
        <div>
          <dt>{asked ? 'For' : 'Ends in'}</dt>
          <dd>{asked ? supportWords(minutes) : <LeftUntil at={until} />}</dd>
        </div>
        <div>
          <dt>Terminals</dt>
          <dd>{terminals.length === 0 ? 'none yet' : `${terminals.length}, ${open.length === 0 ? 'none' : open.length} open, recorded`}</dd>
        </div>
      </dl>
    </section>
  )
}
