const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]

type Family = { type: 'counter' | 'gauge' | 'histogram'; help: string; labels: readonly string[] }

/** Every figure of a meter by its name; each also has the label `meter`, the process it is of. */
export const meterFamilies: Readonly<Record<string, Family>> = {
  masthead_meter_access_total: { type: 'counter', help: 'Access-Requests answered, by answer', labels: ['answer'] },
  masthead_meter_accounting_total: { type: 'counter', help: 'Accounting packets, by what became of them', labels: ['effect'] },
  masthead_meter_batch_failures_total: { type: 'counter', help: 'Batches that had to be tried again, by why', labels: ['fault'] },
  masthead_meter_commit_seconds: { type: 'histogram', help: 'Time to commit a batch', labels: [] },
  masthead_meter_dropped_total: { type: 'counter', help: 'Datagrams that got no answer, by why', labels: ['port', 'cause'] },
  masthead_meter_readings_committed_total: { type: 'counter', help: 'Readings committed', labels: [] },
  masthead_meter_status_total: { type: 'counter', help: 'Status-Server requests answered', labels: ['port'] },
  masthead_meter_waiting: { type: 'gauge', help: 'Readings that wait for the next batch', labels: [] },
}

/** The figures of several meters as one text: a family's lines stand together, under one heading. */
export function joinFigures(texts: readonly string[]): string {
  const lines = texts.flatMap((text) => text.split('\n'))
  return Object.entries(meterFamilies)
    .map(([name, { type, help }]) => {
      const own = lines.filter((line) => line.startsWith(name) && /^(_bucket|_sum|_count)?\{/.test(line.slice(name.length)))
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...own, ''].join('\n')
    })
    .join('')
}

/** What the meter counts, and how `/metrics` shows it. Plain numbers: it is touched for every packet. */
export class MeterFigures {
  /** How many readings wait. */
  waiting = () => 0
  #meter: string
  #counts = new Map<string, number>()
  #batches = 0
  #readings = 0
  #seconds = 0
  #within: number[] = buckets.map(() => 0)

  constructor(meter: string) {
    this.#meter = meter
    // What is alerted on begins at 0: the first one would be no increase otherwise.
    for (const effect of ['quarantined', 'unstorable']) this.effect(effect, 0)
    this.#add('masthead_meter_batch_failures_total{fault="away"', 0)
  }

  /** A datagram that gets no answer, and why. */
  dropped(port: 'auth' | 'acct', cause: string) {
    this.#add(`masthead_meter_dropped_total{port="${port}",cause="${cause}"`)
  }

  /** What became of an accounting packet. */
  effect(effect: string, times = 1) {
    this.#add(`masthead_meter_accounting_total{effect="${effect}"`, times)
  }

  /** What an Access-Request was answered. */
  access(answer: string) {
    this.#add(`masthead_meter_access_total{answer="${answer}"`)
  }

  /** A Status-Server that was answered. */
  status(port: 'auth' | 'acct') {
    this.#add(`masthead_meter_status_total{port="${port}"`)
  }

  failed(fault: string) {
    this.#add(`masthead_meter_batch_failures_total{fault="${fault}"`)
  }

  committed(readings: number, ms: number) {
    this.#batches++
    this.#readings += readings
    this.#seconds += ms / 1000
    for (let i = 0; i < buckets.length; i++) if (ms / 1000 <= buckets[i]!) this.#within[i]!++
  }

  #add(name: string, times = 1) {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + times)
  }

  /** Of one counter with its labels, as in `masthead_meter_dropped_total{port="acct",cause="unknown gateway"}` (tests). */
  count(name: string): number {
    return this.#counts.get(name.replace(/}$/, '')) ?? 0
  }

  /** Prometheus text. */
  text(): string {
    const meter = `meter="${this.#meter}"`
    const lines = [...this.#counts].sort().map(([name, count]) => `${name},${meter}} ${count}`)
    buckets.forEach((bucket, i) => lines.push(`masthead_meter_commit_seconds_bucket{le="${bucket}",${meter}} ${this.#within[i]}`))
    lines.push(
      `masthead_meter_commit_seconds_bucket{le="+Inf",${meter}} ${this.#batches}`,
      `masthead_meter_commit_seconds_sum{${meter}} ${this.#seconds}`,
      `masthead_meter_commit_seconds_count{${meter}} ${this.#batches}`,
      `masthead_meter_readings_committed_total{${meter}} ${this.#readings}`,
      `masthead_meter_waiting{${meter}} ${this.waiting()}`
    )
    return `${lines.join('\n')}\n`
  }
}
