import { useQuery } from '@tanstack/react-query'
import type { getSummary } from '@masthead/contract/notifications/operations'
import { getVerdict } from '@masthead/contract/overview/glance-operations'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { useMay } from '../api/session.ts'
import { PanelCell } from '../ui/Panel.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { StateShape, type Shape, type Tone } from '../ui/StateShape.tsx'
import type { Overview } from './range-words.ts'

type Counts = Omit<Overview['attention'], 'open_alerts'> & { refused: number; quiet: number; open_alerts: number }
type Concern = { key: keyof Counts; label: string; to: string; shape: Shape; tone: Tone }

const concerns: Concern[] = [
  { key: 'refused', label: 'SIMs refused', to: '/assets?attention=refused', shape: 'diamond', tone: 'ink' },
  { key: 'blocked', label: 'SIMs blocked', to: '/assets?sim_status=blocked', shape: 'octagon', tone: 'bad' },
  { key: 'quiet', label: 'Silent, against their usual', to: '/assets?attention=quiet', shape: 'broken', tone: 'warn' },
  { key: 'near_limit', label: 'Over 80 % of their limit', to: '/assets?attention=near_limit', shape: 'triangle', tone: 'warn' },
  { key: 'silent_sessions', label: 'Silent sessions', to: '/assets?attention=silent', shape: 'triangle', tone: 'warn' },
  { key: 'failed_disconnects', label: 'Sessions that could not be cut', to: '/assets?attention=uncut', shape: 'octagon', tone: 'bad' },
  { key: 'failed_updates', label: 'Updates that failed', to: '/assets?attention=update', shape: 'octagon', tone: 'bad' },
  { key: 'open_alerts', label: 'Open alerts', to: '/notifications?state=open', shape: 'diamond', tone: 'warn' },
]

// The operation itself would make the first screen larger: its type says what it asks for.
const alerts: Pick<typeof getSummary, 'access'> = { access: 'notifications.view' }

/** Counters of what somebody should look at. */
export function Attention({ counts: known }: { counts: Overview['attention'] | undefined }) {
  const { data: verdict } = useQuery(q(getVerdict, {}))
  const seesAlerts = useMay(alerts)
  const counts: Partial<Counts> | undefined = known && {
    ...known,
    open_alerts: known.open_alerts ?? undefined,
    ...(verdict && { refused: verdict.refused, quiet: verdict.silent ?? undefined }),
  }
  return (
    <PanelCell className="col-span-2 @lg:col-span-4" title="Needs attention">
      <ul className="divide-y divide-line">
        {concerns
          .filter(({ key }) => key !== 'open_alerts' || seesAlerts)
          .map(({ key, label, to, shape, tone }) => {
            const value = counts?.[key]
            const count = value ?? 0
            return (
              <li key={key}>
                <Link to={to} className="flex h-9 items-center gap-2.5 px-4 hover:bg-hover focus-visible:-outline-offset-2 coarse:h-11">
                  {value === undefined ? (
                    <StateShape shape="dashed" tone="idle" />
                  ) : count > 0 ? (
                    <StateShape shape={shape} tone={tone} />
                  ) : (
                    <StateShape shape="done" tone="ok" />
                  )}
                  <span className={count > 0 ? '' : 'text-fg-3'}>{label}</span>
                  <span className="ml-auto font-medium tabular-nums">
                    {value !== undefined ? (
                      <span className={count > 0 ? '' : 'font-normal text-fg-3'}>{count.toLocaleString('en')}</span>
                    ) : verdict && counts ? (
                      <span className="font-normal text-fg-3" title="Not known yet">
                        —
                      </span>
                    ) : (
                      <Skeleton className="w-5" />
                    )}
                  </span>
                  <Icon of={ChevronRight} size={14} className="text-fg-3" />
                </Link>
              </li>
            )
          })}
      </ul>
    </PanelCell>
  )
}
