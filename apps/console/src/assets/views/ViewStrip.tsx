import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listViews, type AssetView } from '@masthead/contract/assets/views/view-operations'
import { Eye, Plus } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { q } from '../../api/query.ts'
import type { Filter } from '../../kit/filters.ts'
import { later } from '../../kit/later.tsx'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { FailureWords } from '../../ui/FailureNotice.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { whenIdle } from '../../ui/when-idle.ts'
import { assetLine } from '../query/asset-line.ts'
import { keptOf, viewAddress } from './view-address.ts'
import type { Doing } from './ViewDialogs.tsx'

const CurrentView = later(() => import('./CurrentView.tsx').then((file) => file.CurrentView), <div className="h-8" />)
const ViewCount = later(() => import('./ViewCount.tsx').then((file) => file.ViewCount), null, whenIdle)
const ViewDialog = later(() => import('./ViewDialogs.tsx').then((file) => file.ViewDialog))

/** The saved views above the list: each leads to the list as it has it. The one in the address can be changed, shared, watched and deleted. */
export function ViewStrip({ filters }: { filters: readonly Filter[] }) {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const { data, error } = useQuery({ ...q(listViews, {}), placeholderData: keepPreviousData })
  const [doing, setDoing] = useState<Doing | null>(null)
  const id = params.get('view')
  const view = data?.items.find((one) => one.id === id) ?? null
  const kept = keptOf(params, filters)
  const open = (one: AssetView | null) => void navigate(one ? viewAddress(one) : '/assets')
  useOpenedByLink(view, params, (one) => void navigate(viewAddress(one), { replace: true }))
  const unreadable = kept.q !== '' && assetLine.read(kept.q).mistake !== null
  const pasted = /(^|[\s(-])list:/.test(kept.q)
  const refused = unreadable
    ? 'The search cannot be read'
    : pasted
      ? 'Pasted numbers are kept for a day alone: give those assets a tag, and save a view of that'
      : null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 pb-4">
      <div className="flex items-center gap-3 border-b border-line">
        <nav aria-label="Views" className="min-w-0 flex-1 overflow-x-auto [scrollbar-width:none]">
          <ul className="flex gap-5">
            <Tab to="/assets" current={id === null}>
              All
            </Tab>
            {data?.items.map((one) => (
              <Tab key={one.id} to={viewAddress(one)} current={one.id === id}>
                {one.name}
                <ViewCount id={one.id} />
                {one.watch?.enabled && <Watched />}
              </Tab>
            ))}
          </ul>
        </nav>
        <Button color="ghost" size="small" icon={Plus} disabled={refused} onClick={() => setDoing({ what: 'save', kept })}>
          Save view
        </Button>
      </div>
      {error && !data && (
        <p className="text-xs text-bad-fg">
          Your views could not be loaded. <FailureWords of={error} />
        </p>
      )}
      {data && id !== null && !view && (
        <p className="text-xs text-fg-3">This view is gone, or it is somebody else’s. The list is shown as its address says.</p>
      )}
      {view && <CurrentView view={view} kept={kept} refused={refused} onDo={setDoing} />}
      {doing && <ViewDialog doing={doing} onClose={() => setDoing(null)} onOpen={open} />}
    </div>
  )
}

/** A link that names a view alone shows the list as the view has it; what is changed then stays changed. */
function useOpenedByLink(view: AssetView | null, params: URLSearchParams, open: (view: AssetView) => void) {
  const opened = useRef<string | null>(null)
  useEffect(() => {
    if (!params.has('view')) opened.current = null
    if (!view || opened.current === view.id) return
    opened.current = view.id
    const isBare = params.size === 1
    if (isBare && (view.q !== '' || view.sort !== 'name' || view.columns.length > 0)) open(view)
  })
}

const Watched = () => (
  <>
    <Icon of={Eye} size={14} />
    <span className="sr-only">watched</span>
  </>
)

const Tab = ({ to, current, children }: { to: string; current: boolean; children: ReactNode }) => (
  <li className="flex-none">
    <Link
      to={to}
      aria-current={current ? 'page' : undefined}
      className={cx(
        'relative flex h-10 items-center gap-1.5 font-medium whitespace-nowrap focus-visible:-outline-offset-2',
        current ? 'text-fg after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:bg-accent-line' : 'text-fg-2 hover:text-fg'
      )}
    >
      {children}
    </Link>
  </li>
)
