import { Maximize2, Table2, ZoomIn, ZoomOut } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { later } from '../../kit/later.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { StateShape } from '../../ui/StateShape.tsx'
import { looks } from './row-words.ts'
import { hours, hoursOf, simsIn, states, wholeView, zoomTo, type Row, type State, type StripReply, type View } from './strip-lines.ts'
import { StripPlot } from './StripPlot.tsx'

const StripTable = later(() => import('./StripTable.tsx').then((file) => file.StripTable), <div style={{ minHeight: 292 }} />)

/** The last 24 hours of every SIM that should work: as a picture, or as a table. */
export function Strip({ strip }: { strip: StripReply }) {
  const all = useMemo(() => wholeView(strip), [strip])
  const { at } = useMemo(() => hoursOf(strip.lines.runs), [strip])
  // What was zoomed to belongs to the answer that it was chosen in.
  const [zoomed, setZoomed] = useState<{ of: StripReply; view: View } | null>(null)
  const [asTable, setAsTable] = useState(false)
  const navigate = useNavigate()
  const view = zoomed?.of === strip ? zoomed.view : { ...all, ...(zoomed && { t0: zoomed.view.t0, t1: zoomed.view.t1 }) }
  const show = (next: View | null) => setZoomed(next && simsIn(next) > 0 ? { of: strip, view: next } : null)
  const isWhole = view.groups === all.groups && view.t0 === 0 && view.t1 === hours
  const inTime = (factor: number) => {
    const length = Math.min(hours, Math.max(2, Math.round((view.t1 - view.t0) * factor)))
    const t0 = Math.max(0, view.t1 - length)
    show(length === hours && view.groups === all.groups ? null : { ...view, t0, t1: Math.min(hours, t0 + length) })
  }
  const open = (row: Row) => {
    if (row.fold > 0) return void navigate('/assets?sim_status=active')
    const first = row.lines[0]!
    if (row.lines.length === 1) return void navigate(`/assets/${strip.lines.asset_id[first]!}`)
    show({ ...view, groups: [{ group: row.group, lines: row.lines, others: 0 }] })
  }
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 pb-1 text-xs text-fg-3">
        <Legend />
        <span className="flex items-center gap-1">
          {!asTable && (
            <>
              {!isWhole && <span className="mr-1 tabular-nums">{simsIn(view).toLocaleString('en')} SIMs shown</span>}
              <IconButton
                label="Show all"
                icon={Maximize2}
                size="small"
                disabled={isWhole ? 'All is shown' : null}
                onClick={() => show(null)}
              />
              <IconButton label="Fewer hours" icon={ZoomIn} size="small" onClick={() => inTime(0.5)} />
              <IconButton label="More hours" icon={ZoomOut} size="small" onClick={() => inTime(2)} />
            </>
          )}
          <IconButton
            label={asTable ? 'Show as a picture' : 'Show as a table'}
            icon={Table2}
            size="small"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          />
        </span>
      </div>
      {asTable ? (
        <StripTable strip={strip} at={at} />
      ) : (
        <StripPlot
          strip={strip}
          at={at}
          view={view}
          onPress={open}
          onZoom={(layout, part) => show(zoomTo(view, layout, part))}
          onHours={inTime}
          onAll={() => show(null)}
        />
      )}
      {strip.more > 0 && (
        <p className="px-4 pb-2 text-xs text-fg-3">
          {strip.more.toLocaleString('en')} more SIMs had hours that were not as usual, and are not shown here.{' '}
          <Link to="/assets?attention=quiet" className="link">
            Silent
          </Link>
          {' and '}
          <Link to="/assets?attention=refused" className="link">
            refused
          </Link>{' '}
          SIMs of now are in the list of assets.
        </p>
      )}
    </>
  )
}

const swatches: [State, string][] = [
  [states.u, 'bg-ok-line'],
  [states.s, 'strip-dashes'],
  [states.r, 'bg-fg'],
  [states.b, 'bg-bad-mark'],
]

const Legend = () => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1" aria-label="What the colours mean">
    {swatches.map(([state, swatch]) => (
      <li key={state} className="flex items-center gap-1.5">
        <span aria-hidden className={`h-2.5 w-5 rounded-[2px] forced-color-adjust-none ${swatch}`} />
        <StateShape shape={looks[state].shape} tone={looks[state].tone} size={10} />
        <span className="text-fg-2">{looks[state].label}</span>
      </li>
    ))}
  </ul>
)
