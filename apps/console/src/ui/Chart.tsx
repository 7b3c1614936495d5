import { ChartColumn, Download, FileSpreadsheet, Image, Table2, ZoomOut } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { Button, IconButton } from './Button.tsx'
import type { ChartZoom } from './chart-scale.ts'
import { seriesColor, type ChartData, type PaintedChart } from './chart-shape.ts'
import { ChartLegend, chartRows, ChartTable } from './ChartParts.tsx'
import type { PlotHandle } from './ChartPlot.tsx'
import { ChartPointer } from './ChartPointer.tsx'
import { csvText } from './csv.ts'
import { Menu } from './Menu.tsx'
import { fileName, saveFile } from './save-file.ts'
import { toast } from './toast.ts'

export type { ChartData, ChartSeries } from './chart-shape.ts'
export type { ChartInterval } from './chart-scale.ts'

type ChartProps = ChartData & {
  /** Names the chart for a screen reader, heads its table and its files. */
  label: string
  height?: number
  /** Sums stand behind the names in the legend, without a forecast. */
  sums?: boolean
  /** False while the series that the legend will name are not there yet. */
  legend?: boolean
  /** Without the ways to take the numbers along, where a chart is only a glance. */
  plain?: boolean
}

/**
 * A chart over time: bars or areas stacked on each other, or lines. Series can be hidden, an interval dragged over to see only
 * that; the numbers can be read as a table and kept as PNG or CSV. New numbers of the same series move in place: pass the same arrays
 * while nothing changed.
 */
export function Chart({ label, height = 200, sums = false, legend = true, plain = false, series, behind, ...chart }: ChartProps) {
  const [asTable, setAsTable] = useState(false)
  const [hidden, setHidden] = useState<readonly string[]>([])
  const [zoom, setZoom] = useState<ChartZoom | null>(null)
  const plot = useRef<PlotHandle>(null)
  const painted = useMemo(() => series.map((one, at) => ({ ...one, paint: seriesColor(one, at, series.length) })), [series])
  const shown = useMemo(() => painted.filter((one) => !hidden.includes(one.label)), [painted, hidden])
  const drawn: PaintedChart = { ...chart, series: shown, ...(behind && !hidden.includes(behind.label) && { behind }) }

  const entries = [
    ...painted.map((one) => ({
      label: one.label,
      paint: one.paint,
      ...(sums && { sum: chart.format(one.values.slice(0, one.forecastFrom).reduce<number>((sum, value) => sum + (value ?? 0), 0)) }),
      off: hidden.includes(one.label),
    })),
    ...(behind ? [{ label: behind.label, paint: 'var(--chart-past)', off: hidden.includes(behind.label) }] : []),
  ]
  const toggle = (name: string) => {
    const next = hidden.includes(name) ? hidden.filter((one) => one !== name) : [...hidden, name]
    // Taking out the last brings all back: an empty chart shows nothing.
    setHidden(painted.every((one) => next.includes(one.label)) ? [] : next)
  }
  const savePicture = async () => {
    const place = plot.current?.place()
    if (!place) return toast.info('The chart is still loading. Try again in a moment.')
    const { chartPicture } = await import('./chart-picture.ts')
    const picture = await chartPicture(
      place,
      label,
      entries.filter((entry) => !entry.off)
    )
    if (picture) saveFile(fileName(label, 'png'), picture)
  }
  return (
    <figure className="relative grid min-w-0 gap-1" aria-label={label}>
      {asTable ? (
        <ChartTable label={label} chart={drawn} height={height} />
      ) : (
        <ChartPointer ref={plot} label={label} chart={drawn} height={height} zoom={zoom} onZoom={setZoom} />
      )}
      {chart.moments && (
        <ul className="sr-only">
          {chart.moments.map((moment) => (
            <li key={moment.label}>{moment.label}</li>
          ))}
        </ul>
      )}
      {zoom && !asTable && (
        <Button size="small" icon={ZoomOut} className="absolute top-1 right-1" onClick={() => setZoom(null)}>
          Show all
        </Button>
      )}
      <figcaption className="flex items-end gap-4">
        {legend && (entries.length > 1 || sums) && <ChartLegend entries={entries} onToggle={toggle} />}
        <span className="-my-1 ml-auto flex">
          <IconButton
            label={asTable ? 'Show as a chart' : 'Show as a table'}
            icon={asTable ? ChartColumn : Table2}
            size="small"
            onClick={() => setAsTable(!asTable)}
          />
          {!plain && (
            <Menu
              trigger={<IconButton label="Save the numbers" icon={Download} size="small" />}
              label="Save"
              align="end"
              items={[
                {
                  label: 'Picture (PNG)',
                  icon: Image,
                  onSelect: () => void savePicture(),
                  disabled: asTable ? 'Show the chart first' : null,
                },
                {
                  label: 'Numbers (CSV)',
                  icon: FileSpreadsheet,
                  onSelect: () => saveFile(fileName(label, 'csv'), csvText(chartRows(drawn))),
                },
              ]}
            />
          )}
        </span>
      </figcaption>
    </figure>
  )
}
