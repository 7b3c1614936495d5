const families: Readonly<Record<string, { type: 'counter' | 'gauge'; help: string }>> = {
  masthead_broker_clients: { type: 'gauge', help: 'Devices that are connected' },
  masthead_broker_connections_total: { type: 'counter', help: 'Devices that signed in' },
  masthead_broker_refused_total: { type: 'counter', help: 'Connections and messages that were refused, by why' },
  masthead_broker_messages_total: { type: 'counter', help: 'Messages of devices, by what they are' },
  masthead_broker_sent_total: { type: 'counter', help: 'Messages to devices, by what they are' },
  masthead_broker_stored_total: { type: 'counter', help: 'Rows of devices that reports were stored in' },
  masthead_broker_waiting: { type: 'gauge', help: 'Devices whose reports wait to be stored' },
}

/** What a broker counts. Plain numbers: it is touched for every message. */
export class BrokerFigures {
  #broker: string
  #counts = new Map<string, number>()
  clients = () => 0
  waiting = () => 0

  constructor(broker: string) {
    this.#broker = broker
    const known = ['credentials', 'sign_ins', 'rate', 'size', 'malformed', 'topic', 'waiting', 'report', 'unacknowledged']
    for (const why of known) this.refused(why, 0)
  }

  connected = () => this.#add('masthead_broker_connections_total', '')
  refused = (why: string, times = 1) => this.#add('masthead_broker_refused_total', `why="${why}",`, times)
  message = (kind: string) => this.#add('masthead_broker_messages_total', `kind="${kind}",`)
  sent = (kind: string) => this.#add('masthead_broker_sent_total', `kind="${kind}",`)
  stored = (rows: number) => this.#add('masthead_broker_stored_total', '', rows)

  #add(name: string, labels: string, times = 1) {
    const key = `${name}{${labels}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + times)
  }

  /** By name and labels, for staff: `refused_total why="size"`. */
  counters(): Record<string, number> {
    return Object.fromEntries(
      [...this.#counts].map(([key, count]) => [
        key
          .replace('masthead_broker_', '')
          .replaceAll(/[{",]|why=|kind=/g, (found) => (found === '{' ? ' ' : ''))
          .trim(),
        count,
      ])
    )
  }

  /** Prometheus text. */
  text(): string {
    const broker = `broker="${this.#broker}"`
    const gauges = { masthead_broker_clients: this.clients(), masthead_broker_waiting: this.waiting() }
    const lines = [
      ...[...this.#counts].map(([key, count]) => `${key}${broker}} ${count}`),
      ...Object.entries(gauges).map(([name, value]) => `${name}{${broker}} ${value}`),
    ].sort()
    return Object.entries(families)
      .map(([name, { type, help }]) =>
        [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines.filter((line) => line.startsWith(`${name}{`)), ''].join('\n')
      )
      .join('')
  }
}
