import type { Asset } from '@masthead/contract/assets/asset'
import type { Device } from '@masthead/contract/devices/device'
import { configureDevice } from '@masthead/contract/devices/operations'
import { ArrowUpDown } from 'lucide-react'
import { useState } from 'react'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { orders, orderOf, prioritiesOf, type Order } from './interface-order.ts'

/** Sets which kind of interface a CORE device uses first. */
export function OrderButton({ asset, device }: { asset: Asset; device: Device }) {
  const now = orderOf(device.desired.network_priority ?? device.reported.config?.network_priority)
  const [chosen, setChosen] = useState<Order | null>(null)
  return (
    <>
      <ActionButton operation={configureDevice} size="small" icon={ArrowUpDown} onClick={() => setChosen(now ?? 'CEW')}>
        Order
      </ActionButton>
      {chosen && (
        <ConfirmCall
          onClose={() => setChosen(null)}
          operation={configureDevice}
          input={{ params: { asset_id: asset.id }, body: { network_priority: prioritiesOf(chosen) } }}
          title={`Order of interfaces of ${asset.name}`}
          confirm="Send order"
          done="The order was sent, or waits for the device"
        >
          <p>The first that has internet is used.</p>
          <RadioGroup label="Order" hideLabel choices={orders} value={chosen} onChange={setChosen} />
        </ConfirmCall>
      )}
    </>
  )
}
