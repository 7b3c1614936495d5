import type { Device } from '@masthead/contract/devices/device'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { Stepper } from '../../ui/Stepper.tsx'
import { cellOf, connectionSteps, repairSteps } from './core-connection.ts'

/** The steps of a CORE device to the internet, and what it does by itself where one fails. */
export function CoreConnection({ device }: { device: Device }) {
  const repair = repairSteps(device)
  return (
    <Panel flush title="Connection, step by step" note="the device does and repairs this by itself">
      <div className="px-4 py-3">
        <p className="mb-3 text-xs text-fg-2">Walked after each start and each fault</p>
        <Stepper label="Steps to the internet" steps={connectionSteps(device)} />
      </div>
      <div className="border-t border-line px-4 py-3">
        <p className="mb-3 text-xs text-pretty text-fg-2">Where a step fails: one measure after the other. {repair.about}</p>
        <Stepper label="Repair, step by step" steps={repair.steps} />
      </div>
    </Panel>
  )
}

/** The cell that the device said it is in. */
export function CellPanel({ device }: { device: Device }) {
  const cell = cellOf(device)
  return (
    <Panel title="Location" note="its cell, read once a day; not GPS">
      {cell ? (
        <div className="-my-1.5">
          <Facts>
            <Fact label="Country">{cell.country ?? '—'}</Fact>
            <Fact label="Network">
              {cell.network}, {cell.technology}
            </Fact>
            {cell.parts.map(([name, value]) => (
              <Fact key={name} label={name}>
                <span className="tnum">{value}</span>
              </Fact>
            ))}
          </Facts>
        </div>
      ) : (
        <p className="text-fg-3">No data found: the device has not said in which cell it is.</p>
      )}
    </Panel>
  )
}
