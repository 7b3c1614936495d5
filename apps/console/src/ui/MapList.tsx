import type { ReactNode } from 'react'
import { countryName } from './country-name.ts'
import type { MapPoint } from './map-points.ts'

/** More are found on the map itself. */
const mostPoints = 500

const degrees = (value: number, [plus, minus]: readonly [string, string]) => `${Math.abs(value).toFixed(4)}° ${value < 0 ? minus : plus}`

/** What a map shows, to be read: markers with their places, countries with their values. */
export function MapList({
  label,
  height,
  points,
  values,
  format,
  onSelect,
  onCountry,
}: {
  label: string
  height: number
  points: readonly MapPoint[]
  values: Readonly<Record<string, number>>
  format: (value: number) => string
  onSelect: (label: string) => void
  onCountry?: (code: string) => void
}) {
  const countries = Object.entries(values).sort(([, a], [, b]) => b - a)
  const shown = points.slice(0, mostPoints)
  return (
    <div
      role="region"
      aria-label={`${label}, as a list`}
      tabIndex={0}
      className="overflow-auto rounded-md border border-line"
      style={{ height }}
    >
      {(countries.length > 0 || shown.length === 0) && (
        <List heads={['Country', 'Value']}>
          {countries.map(([code, value]) => (
            <Row key={code} value={format(value)}>
              {onCountry ? <Pressed onClick={() => onCountry(code)}>{countryName(code)}</Pressed> : countryName(code)}
            </Row>
          ))}
          {countries.length === 0 && (
            <tr>
              <td colSpan={2} className="px-3 py-3 text-center text-fg-3">
                No data found
              </td>
            </tr>
          )}
        </List>
      )}
      {shown.length > 0 && (
        <List heads={['Marker', 'Position']}>
          {shown.map(({ label: name, lat, lon }) => (
            <Row key={name} value={`${degrees(lat, ['N', 'S'])}, ${degrees(lon, ['E', 'W'])}`}>
              <Pressed onClick={() => onSelect(name)}>{name}</Pressed>
            </Row>
          ))}
          {points.length > shown.length && (
            <tr>
              <td colSpan={2} className="px-3 py-1 text-fg-3">
                and {(points.length - shown.length).toLocaleString('en')} more
              </td>
            </tr>
          )}
        </List>
      )}
    </div>
  )
}

function List({ heads: [name, value], children }: { heads: readonly [string, string]; children: ReactNode }) {
  const head = 'px-3 py-1.5 text-left font-medium'
  return (
    <table className="w-full text-xs tabular-nums">
      <thead className="sticky top-0 bg-chrome text-fg-3">
        <tr>
          <th scope="col" className={head}>
            {name}
          </th>
          <th scope="col" className={`${head} text-right`}>
            {value}
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">{children}</tbody>
    </table>
  )
}

const Row = ({ value, children }: { value: string; children: ReactNode }) => (
  <tr>
    <th scope="row" className="px-3 py-1 text-left font-normal">
      {children}
    </th>
    <td className="px-3 py-1 text-right whitespace-nowrap text-fg-2">{value}</td>
  </tr>
)

const Pressed = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <button type="button" className="link rounded-sm" onClick={onClick}>
    {children}
  </button>
)
