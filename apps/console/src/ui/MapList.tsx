import type { MapPoint } from './map-points.ts'
import { countryName } from './country-name.ts'

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
  const head = 'px-3 py-1.5 text-left font-medium'
  return (
    <div
      role="region"
      aria-label={`${label}, as a list`}
      tabIndex={0}
      className="overflow-auto rounded-md border border-line"
      style={{ height }}
    >
      <table className="w-full text-xs tabular-nums">
        <thead className="sticky top-0 bg-chrome text-fg-3">
          <tr>
            <th scope="col" className={head}>
              {points.length > 0 ? 'Marker' : 'Country'}
            </th>
            <th scope="col" className={`${head} text-right`}>
              {points.length > 0 ? 'Position' : 'Value'}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {points.map(({ label: name, lat, lon }) => (
            <tr key={name}>
              <th scope="row" className="px-3 py-1 text-left font-normal">
                <button type="button" className="link rounded-sm" onClick={() => onSelect(name)}>
                  {name}
                </button>
              </th>
              <td className="px-3 py-1 text-right whitespace-nowrap text-fg-2">
                {degrees(lat, ['N', 'S'])}, {degrees(lon, ['E', 'W'])}
              </td>
            </tr>
          ))}
          {points.length === 0 &&
            countries.map(([code, value]) => (
              <tr key={code}>
                <th scope="row" className="px-3 py-1 text-left font-normal">
                  {onCountry ? (
                    <button type="button" className="link rounded-sm" onClick={() => onCountry(code)}>
                      {countryName(code)}
                    </button>
                  ) : (
                    countryName(code)
                  )}
                </th>
                <td className="px-3 py-1 text-right whitespace-nowrap">{format(value)}</td>
              </tr>
            ))}
          {points.length === 0 && countries.length === 0 && (
            <tr>
              <td colSpan={2} className="px-3 py-3 text-center text-fg-3">
                No data found
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}
