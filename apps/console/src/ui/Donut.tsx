import { useState, type ReactNode } from 'react'
import { seriesColor } from './chart-shape.ts'
import { Swatch } from './ChartParts.tsx'
import { cx } from './cx.ts'
import { donutArcs } from './donut-shape.ts'

export type DonutPart = { label: string; value: number; color?: number | 'rest' }

/**
 * What a whole is made of, at most eight parts. Each part stands with its value and its share in the table beside; a row under the pointer
 * lights its part.
 */
export function Donut({
  label,
  parts,
  format,
  size = 132,
  center,
}: {
  label: string
  parts: readonly DonutPart[]
  format: (value: number) => string
  /** Pixels across. */
  size?: number
  /** In the middle: the whole, unless given. */
  center?: ReactNode
}) {
  const [lit, setLit] = useState<number | null>(null)
  const whole = parts.reduce((sum, part) => sum + part.value, 0)
  const arcs = donutArcs(parts.map((part) => part.value))
  const share = (value: number) => (whole > 0 ? `${((100 * value) / whole).toFixed(value / whole < 0.1 ? 1 : 0)} %` : '0 %')
  return (
    <figure aria-label={label} className="flex min-w-0 flex-wrap items-center gap-x-6 gap-y-3">
      <div className="relative flex-none" style={{ width: size, height: size }}>
        <svg viewBox="-50 -50 100 100" width={size} height={size} aria-hidden>
          <circle r={42} fill="none" stroke="var(--bg-sunken)" strokeWidth={14} />
          {arcs.map((arc, at) => (
            <path
              key={parts[at]!.label}
              d={arc}
              fill={seriesColor(parts[at]!, at, parts.length)}
              opacity={lit === null || lit === at ? 1 : 0.35}
              onPointerEnter={() => setLit(at)}
              onPointerLeave={() => setLit(null)}
            />
          ))}
        </svg>
        <div className="pointer-events-none absolute inset-0 grid place-content-center text-center">
          {lit === null ? (
            (center ?? <span className="tight text-lg font-semibold tabular-nums">{format(whole)}</span>)
          ) : (
            <>
              <span className="font-semibold tabular-nums">{format(parts[lit]!.value)}</span>
              <span className="text-xs text-fg-3">{share(parts[lit]!.value)}</span>
            </>
          )}
        </div>
      </div>
      <table className="min-w-44 flex-1 text-xs tabular-nums">
        <caption className="sr-only">{label}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Value</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part, at) => (
            <tr
              key={part.label}
              className={cx('rounded-sm', lit === at && 'bg-hover')}
              onPointerEnter={() => setLit(at)}
              onPointerLeave={() => setLit(null)}
            >
              <th scope="row" className="py-1 pr-2 text-left font-normal">
                <span className="inline-flex items-center gap-1.5">
                  <Swatch color={seriesColor(part, at, parts.length)} />
                  {part.label}
                </span>
              </th>
              <td className="px-2 text-right font-medium whitespace-nowrap">{format(part.value)}</td>
              <td className="w-12 text-right whitespace-nowrap text-fg-3">{share(part.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
