import { useMemo, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Chart, type ChartData } from '../ui/Chart.tsx'
import { Donut } from '../ui/Donut.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Sparkline } from '../ui/Sparkline.tsx'
import { Grid, Section } from './Specimen.tsx'
import { bytes, days, series, wave } from './chart-samples.ts'

const month = days(30)
const stacked: ChartData = {
  kind: 'bars',
  times: month,
  interval: 'day',
  series: [
    { label: 'In pools', values: wave(30, 2.1e9, 1) },
    { label: 'Pay-as-you-go', values: wave(30, 3.4e8, 2) },
  ],
  behind: { label: 'October', values: wave(30, 2.2e9, 5) },
  format: bytes,
}
const forecast: ChartData = {
  ...stacked,
  series: [
    { label: 'In pools', values: wave(30, 2.1e9, 1), forecastFrom: 21 },
    { label: 'Pay-as-you-go', values: wave(30, 3.4e8, 2), forecastFrom: 21 },
  ],
}
const areas: ChartData = { kind: 'area', times: month, interval: 'day', series: series(4, 30), format: bytes }
const sum = wave(30, 8e7, 3).reduce<number[]>((sums, value) => [...sums, (sums.at(-1) ?? 0) + (value ?? 0)], [])
const limited: ChartData = {
  kind: 'area',
  times: month,
  interval: 'day',
  series: [{ label: 'Used so far', values: sum.map((value, at) => (at < 22 ? value : null)) }],
  marks: [
    { label: 'Limit 2 GB', value: 2e9, tone: 'bad' },
    { label: 'Alert at 80 %', value: 1.6e9, tone: 'warn' },
  ],
  format: bytes,
}
const pool: ChartData = {
  kind: 'line',
  times: month,
  interval: 'day',
  series: [{ label: 'Left in the pool', values: sum.map((value) => Math.max(0, 2.5e9 - value)), forecastFrom: 20 }],
  band: {
    label: 'Expected',
    low: sum.map((value, at) => (at < 20 ? null : Math.max(0, 2.5e9 - value - (at - 20) * 6e7))),
    high: sum.map((value, at) => (at < 20 ? null : Math.max(0, 2.5e9 - value + (at - 20) * 6e7))),
  },
  format: bytes,
}
const signal: ChartData = {
  kind: 'line',
  times: Array.from({ length: 48 }, (_, at) => month[0]! + at * 3600),
  interval: 'hour',
  series: [
    { label: 'RSRP', values: wave(48, 9, 4).map((value, at) => (at > 30 && at < 34 ? null : -104 + (value ?? 0))) },
    { label: 'RSSI', values: wave(48, 7, 6).map((value, at) => (at > 30 && at !== 32 && at < 34 ? null : -78 + (value ?? 0))) },
  ],
  fromZero: false,
  format: (value) => `${Math.round(value)} dBm`,
}

export function ChartsPage() {
  return (
    <>
      <Section
        title="Stacked bars"
        about="The period before stands wider and paler behind. Drag over a stretch to see only that; double-click shows all."
      >
        <Panel>
          <Chart label="Data per day" height={216} sums {...stacked} />
        </Panel>
      </Section>
      <Grid>
        <Section title="Bars with a forecast">
          <Panel>
            <Chart label="Data per day with a forecast" height={180} {...forecast} />
          </Panel>
        </Section>
        <Section title="Stacked areas">
          <Panel>
            <Chart label="Data by operator" height={180} {...areas} />
          </Panel>
        </Section>
        <Section title="An area with a limit and an alert">
          <Panel>
            <Chart label="Used of the limit" height={180} {...limited} />
          </Panel>
        </Section>
        <Section title="A line with its forecast">
          <Panel>
            <Chart label="Left in the pool" height={180} {...pool} />
          </Panel>
        </Section>
        <Section title="Lines, gaps, no zero">
          <Panel>
            <Chart label="Signal" height={180} {...signal} />
          </Panel>
        </Section>
        <Section title="Live">
          <Panel>
            <Live />
          </Panel>
        </Section>
      </Grid>
      <Section title="Eight series, months">
        <Panel>
          <Chart label="Data by country" height={200} kind="bars" times={months} interval="month" series={series(8, 12)} format={bytes} />
        </Panel>
      </Section>
      <Grid>
        <Section title="Donut">
          <Panel>
            <Donut
              label="Data by type of asset"
              format={bytes}
              parts={[
                { label: 'ALPON X5 AI', value: 21.4e9 },
                { label: 'Plastic SIM', value: 17.9e9 },
                { label: 'CORE Device', value: 9.2e9 },
                { label: 'The rest', value: 3.2e9, color: 'rest' },
              ]}
            />
          </Panel>
        </Section>
        <Section title="Sparklines">
          <Panel>
            <div className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-3">
              <span>With its ground</span>
              <Sparkline label="Rising" values={wave(24, 1e9, 2)} />
              <span>Only the line</span>
              <Sparkline label="Even" values={wave(24, 1e9, 5)} area={false} color="info" />
              <span>With gaps</span>
              <Sparkline label="With gaps" values={wave(24, 1e9, 3).map((value, at) => (at % 9 > 6 ? null : value))} color="quiet" />
              <span>Trouble</span>
              <Sparkline label="Failures" values={[0, 0, 1, 0, 2, 3, 9]} color="bad" />
              <span>Nothing known</span>
              <Sparkline label="Nothing known" values={[]} />
            </div>
          </Panel>
        </Section>
      </Grid>
      <Section title="Nothing yet">
        <Panel>
          <Chart
            label="Data of a new account"
            height={120}
            kind="bars"
            times={[]}
            interval="day"
            series={[{ label: 'Data', values: [] }]}
            format={bytes}
          />
        </Panel>
      </Section>
    </>
  )
}

const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month) / 1000)

/** A window that moves on by a step at each press, as a live update does. */
function Live() {
  const [step, setStep] = useState(0)
  const chart = useMemo<ChartData>(() => {
    const all = wave(200, 4e6, 7)
    const times = Array.from({ length: 40 }, (_, at) => month[0]! + (at + step) * 3600)
    return { kind: 'line', times, interval: 'hour', series: [{ label: 'Down', values: all.slice(step, step + 40) }], format: bytes }
  }, [step])
  return (
    <div className="grid gap-3">
      <Chart label="Live data" height={136} {...chart} />
      <Button size="small" className="justify-self-start" onClick={() => setStep((step + 1) % 160)}>
        A new number
      </Button>
    </div>
  )
}
