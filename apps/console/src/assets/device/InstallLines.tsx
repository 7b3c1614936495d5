import { Region } from '@masthead/contract/core/deployment'
import { useState } from 'react'
import { installLine, regionNames } from '../../core/index.ts'
import { CodeBlock } from '../../kit/CodeBlock.tsx'
import { Segmented } from '../../ui/Segmented.tsx'

const regions = Region.options.map((value) => ({ value, label: regionNames[value] }))

/** What is run on a CORE device that has no agent yet, and what its file says where it has one. */
export function InstallLines({ token }: { token: string }) {
  const [region, setRegion] = useState<Region>('global')
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-fg-2">Put the SIM in, then run this on the device:</p>
          <Segmented label="Region" options={regions} value={region} onChange={setRegion} />
        </div>
        <CodeBlock label="install line" code={installLine(token, region)} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        <p className="text-fg-2">
          Where the agent is installed already, write this into <span className="mono">/opt/sixfab/.env.yaml</span> and restart it:
        </p>
        <CodeBlock label="agent file" code={`core:\n  token: ${token}\n  MQTT_HOST: ${window.location.hostname}\n`} />
      </div>
    </>
  )
}
