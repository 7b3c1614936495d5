import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { JsonView } from '../ui/JsonView.tsx'
import { StreamLog, type LogLine } from '../ui/StreamLog.tsx'
import { Section } from './Specimen.tsx'

const texts = [
  'modem: registered on 204-08 KPN, LTE band 20',
  'mqtt: connected to broker.example.test, keep alive 60 s',
  'agent: desired state 4.2.1, reported 4.2.0: pulling registry.example.test/acme/modem-agent@sha256:9f2c41d07ab3e51c, 214 MB, in 12 layers, of which 3 are here already',
  'agent: container started, pid 1184',
  'mqtt: no answer to a ping in 30 s',
  'modem: reset by watchdog',
  'modem: searching',
]
const levels: LogLine['level'][] = ['info', 'info', 'debug', 'info', 'warn', 'error', 'debug']

const line = (at: number): LogLine => ({
  id: String(at),
  time: `14:${String(31 + Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}.${String((at * 37) % 1000).padStart(3, '0')}`,
  level: levels[at % levels.length]!,
  text: texts[at % texts.length]!,
})

const asset = {
  id: 'ast_01hqz3',
  name: 'reefer-truck-0148',
  type: 'plastic_sim',
  sim: { iccid: '8931082017004430677', state: 'active', blocks: [], limit_bytes: 1_000_000_000, roaming: true },
  tags: [
    { name: 'eu', color: 'blue' },
    { name: 'cold-chain', color: 'teal' },
  ],
  position: null,
}

export function LogsPage() {
  const [count, setCount] = useState(60)
  const lines = Array.from({ length: count }, (_, at) => line(at))
  return (
    <>
      <Section title="Stream" about="It follows the last line until one scrolls up; then it stays and counts what is new.">
        <StreamLog label="Device log" lines={lines} state="Live" />
        <Button size="small" className="justify-self-start" onClick={() => setCount(count + 3)}>
          Three new lines
        </Button>
      </Section>
      <Section title="An empty stream">
        <StreamLog label="Build log" lines={[]} height={80} state="Waiting" />
      </Section>
      <Section title="JSON" about="Arrow keys walk the lines, Right opens, Left closes.">
        <JsonView label="Asset" value={asset} />
        <JsonView label="A word" value="reefer-truck-0148" />
      </Section>
    </>
  )
}
