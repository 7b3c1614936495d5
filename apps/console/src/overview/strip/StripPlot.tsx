import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTheme } from '../../ui/use-theme.ts'
import { paintStrip } from './paint-strip.ts'
import { clockAt, groupName, spokenOf, wordsOf } from './row-words.ts'
import { StripCard } from './StripCard.tsx'
import { hours, layOut, rowAt, type Hours, type Layout, type Row, type StripReply, type View } from './strip-lines.ts'

export const plotHeight = 264
/** A press that moves less opens; more, and it chooses a part. */
const drags = 5

type Place = { x: number; y: number }
/** Where the keys are: at a SIM's line, or (null) at what is as usual of its group. Rows are others once other hours are shown. */
type Cursor = { group: number; line: number | null; hour: number }
type Props = {
  strip: StripReply
  at: Hours['at']
  view: View
  onPress: (row: Row) => void
  onZoom: (layout: Layout, part: { t0: number; t1: number; y0: number; y1: number }) => void
  onHours: (factor: number) => void
  onAll: () => void
}

/** The picture: time across, a line per SIM. One stop for Tab; arrows move, Enter opens, + and − zoom, Escape shows all. */
export function StripPlot({ strip, at, view, onPress, onZoom, onHours, onAll }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [width, setWidth] = useState(0)
  const [drag, setDrag] = useState<{ from: Place; to: Place } | null>(null)
  const [point, setPoint] = useState<Place | null>(null)
  const [cursor, setCursor] = useState<Cursor | null>(null)
  const theme = useTheme()
  const layout = useMemo(() => layOut(view, at, plotHeight), [view, at])

  useEffect(() => {
    const box = canvas.current!.parentElement!
    const observer = new ResizeObserver(() => setWidth(box.clientWidth))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    if (width === 0) return
    const style = getComputedStyle(canvas.current!)
    paintStrip(canvas.current!, { view, layout, at, width, height: plotHeight, colorOf: (paint) => style.getPropertyValue(paint).trim() })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- The theme changes what the style says.
  }, [view, layout, at, width, theme])

  const hourAt = (x: number) => view.t0 + (Math.max(0, Math.min(x, width)) / Math.max(1, width)) * (view.t1 - view.t0)
  const xOf = (hour: number) => ((hour + 0.5 - view.t0) / (view.t1 - view.t0)) * width
  const placeOf = (event: React.PointerEvent): Place => {
    const box = canvas.current!.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }
  const shown = cursor
    ? { row: rowOf(layout, cursor), hour: Math.max(view.t0, Math.min(cursor.hour, view.t1 - 1)) }
    : point && { row: rowAt(layout, point.y), hour: Math.min(view.t1 - 1, Math.floor(hourAt(point.x))) }
  const row = shown ? layout.rows[shown.row] : undefined
  const words = row && shown ? wordsOf(strip, row, at, shown.hour) : null

  const press = (keys: React.KeyboardEvent) => {
    const now = cursor && shown ? shown : { row: 0, hour: view.t1 - 1 }
    const last = layout.rows.length - 1
    const to = (row: number, hour = now.hour) => {
      const { group, lines } = layout.rows[Math.max(0, Math.min(row, last))]!
      setCursor({ group, line: lines[0] ?? null, hour: Math.max(view.t0, Math.min(hour, view.t1 - 1)) })
    }
    const moves: Record<string, () => void> = {
      ArrowUp: () => to(now.row - 1),
      ArrowDown: () => to(cursor ? now.row + 1 : 0),
      ArrowLeft: () => to(now.row, now.hour - 1),
      ArrowRight: () => to(now.row, now.hour + 1),
      Home: () => to(0),
      End: () => to(last),
      Enter: () => row && onPress(row),
      '+': () => onHours(0.5),
      '-': () => onHours(2),
      Escape: () => {
        setCursor(null)
        onAll()
      },
    }
    const move = moves[keys.key]
    if (!move || keys.ctrlKey || keys.metaKey || keys.altKey) return
    keys.preventDefault()
    move()
  }

  return (
    <div className="grid grid-cols-[108px_minmax(0,1fr)] px-4 pb-2 @lg:grid-cols-[132px_minmax(0,1fr)]">
      <div className="relative text-2xs text-fg-2" aria-hidden>
        {layout.bands.map((band) => (
          <span
            key={band.group}
            className="absolute right-2 left-0 flex justify-between gap-1.5 overflow-hidden leading-3 whitespace-nowrap"
            style={{ top: band.y, height: Math.max(12, band.height) }}
          >
            <span className="truncate">{groupName(strip, band.group)}</span>
            <BandCount strip={strip} group={band.group} />
          </span>
        ))}
      </div>
      <div className="relative min-w-0" style={{ height: plotHeight }}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It takes the arrows itself. */}
        <canvas
          ref={canvas}
          role="application"
          aria-label={`${nowWords(strip)} Arrows move through lines and hours, Enter opens, plus and minus change the hours, Escape shows all. The same as a table: the button Show as a table.`}
          tabIndex={0}
          className="block h-full w-full cursor-crosshair touch-pan-y rounded-[2px] forced-color-adjust-none"
          onKeyDown={press}
          onBlur={() => setCursor(null)}
          onPointerMove={(event) => {
            const to = placeOf(event)
            setCursor(null)
            if (drag) setDrag({ ...drag, to })
            else setPoint(to)
          }}
          onPointerLeave={() => setPoint(null)}
          onPointerDown={(event) => {
            if (event.button !== 0) return
            canvas.current!.setPointerCapture(event.pointerId)
            setDrag({ from: placeOf(event), to: placeOf(event) })
          }}
          onPointerCancel={() => setDrag(null)}
          onPointerUp={(event) => {
            if (!drag) return
            const { from } = drag
            const to = placeOf(event)
            setDrag(null)
            setPoint(null)
            if (isSmall(from, to)) {
              const pressed = layout.rows[rowAt(layout, to.y)]
              if (pressed) onPress(pressed)
              return
            }
            const [left, right] = [from.x, to.x].toSorted((a, b) => a - b) as [number, number]
            const [top, bottom] = [from.y, to.y].toSorted((a, b) => a - b) as [number, number]
            onZoom(layout, { t0: hourAt(left), t1: hourAt(right), y0: top, y1: bottom })
          }}
        />
        {drag && !isSmall(drag.from, drag.to) && (
          <span
            aria-hidden
            className="pointer-events-none absolute border border-focus bg-active opacity-60"
            style={{
              left: Math.min(drag.from.x, drag.to.x),
              top: Math.min(drag.from.y, drag.to.y),
              width: Math.abs(drag.from.x - drag.to.x),
              height: Math.abs(drag.from.y - drag.to.y),
            }}
          />
        )}
        {cursor && row && shown && (
          <span
            aria-hidden
            className="pointer-events-none absolute rounded-[2px] ring-2 ring-focus"
            style={{ left: xOf(shown.hour - 0.5), top: row.y, width: width / (view.t1 - view.t0), height: row.height }}
          />
        )}
        {words && row && shown && !drag && (
          <StripCard
            words={words}
            x={cursor ? xOf(shown.hour) : point!.x}
            y={cursor ? row.y : point!.y}
            width={width}
            height={plotHeight}
          />
        )}
        <span aria-live="polite" className="sr-only">
          {cursor && words && shown && spokenOf(strip, words, shown.hour)}
        </span>
      </div>
      <Axis strip={strip} view={view} />
    </div>
  )
}

/** Its row, or what is as usual of its group, where it was in the hours shown. */
function rowOf({ rows }: Layout, { group, line }: Cursor): number {
  const own = rows.findIndex((row) => row.group === group && (line === null ? row.fold > 0 : row.lines.includes(line)))
  return Math.max(0, own >= 0 ? own : rows.findLastIndex((row) => row.group === group))
}

const isSmall = (from: Place, to: Place) => Math.abs(from.x - to.x) < drags && Math.abs(from.y - to.y) < drags

function BandCount({ strip, group }: { strip: StripReply; group: number }) {
  const { sims, off } = strip.groups[group]!
  return off > 0 ? (
    <b className="font-semibold text-bad-fg tabular-nums">{off.toLocaleString('en')}</b>
  ) : (
    <span className="text-fg-3 tabular-nums">{sims.toLocaleString('en')}</span>
  )
}

function nowWords({ groups }: StripReply) {
  const [sims, off] = groups.reduce(([all, some], group) => [all + group.sims, some + group.off], [0, 0])
  return `The last 24 hours of ${sims.toLocaleString('en')} SIMs, of which ${off.toLocaleString('en')} are not as usual now.`
}

/** Every few hours, and where it ends: now. */
function Axis({ strip, view }: { strip: StripReply; view: View }) {
  const length = view.t1 - view.t0
  const step = length > 16 ? 4 : length > 8 ? 2 : 1
  const marks = Array.from({ length: Math.ceil(length / step) }, (_, i) => view.t0 + i * step).filter((hour) => view.t1 - hour > step * 0.6)
  return (
    <div className="relative col-start-2 h-5 text-2xs text-fg-3 tabular-nums" aria-hidden>
      {marks.map((hour, i) => (
        <span
          key={hour}
          className={`absolute top-1 whitespace-nowrap ${i === 0 ? '' : '-translate-x-1/2'} ${i % 3 ? 'hidden @lg:inline' : ''}`}
          style={{ left: `${(100 * (hour - view.t0)) / length}%` }}
        >
          {clockAt(strip.start!, hour)}
        </span>
      ))}
      <span className="absolute top-1 right-0 bg-bg pl-1.5 text-fg">{view.t1 === hours ? 'now' : clockAt(strip.start!, view.t1)}</span>
    </div>
  )
}
