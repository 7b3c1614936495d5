import { joinGateways, type Gateway } from '@masthead/contract/backoffice/gateway-operations'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { FormSelect } from '../kit/FormSelect.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { plain, toast } from '../ui/toast.ts'

const packetsOf = ({ packets }: Gateway) => `${packets.toLocaleString('en')} ${packets === 1 ? 'packet' : 'packets'}`
const addressesOf = ({ addresses }: Gateway) => addresses.map(({ address }) => address).join(', ')

/** The two in the order in which they are offered, and which of them is kept. */
type Pair = { offered: Gateway[]; kept: Gateway; gone: Gateway }

/** The larger one is offered first, and is kept unless the other one was chosen: the meter waits while the open sessions of the other are moved. */
function pairOf(one: Gateway, other: Gateway, chosen: string | null): Pair {
  const offered = [one, other].toSorted((a, b) => b.packets - a.packets)
  const [larger, smaller] = offered as [Gateway, Gateway]
  return smaller.id === chosen ? { offered, kept: smaller, gone: larger } : { offered, kept: larger, gone: smaller }
}

/** Two that report the same sessions, so that the meter counts their reports as those of one gateway. */
export function JoinGateways({ gateway, others, onClose }: { gateway: Gateway; others: readonly Gateway[]; onClose: () => void }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const pairWith = (other_id: string | undefined) => {
    const other = others.find(({ id }) => id === other_id)
    return other && pairOf(gateway, other, chosen)
  }
  return (
    <FormModal
      open
      onClose={onClose}
      title={`Join ${gateway.name} with another gateway`}
      operation={joinGateways}
      values={{}}
      input={({ other_id }) => {
        const { kept, gone } = pairWith(other_id) ?? { kept: gateway }
        return { params: { gateway_id: kept.id }, body: { other_id: gone?.id ?? other_id } }
      }}
      submit="Join them"
      color="danger"
      onDone={({ name }) => toast.success(`The two are one gateway, ${plain(name)}. It applies at once.`)}
    >
      <FormSelect
        name="other_id"
        label="The other gateway"
        placeholder="Choose a gateway"
        options={others.map((other) => ({ value: other.id, label: `${other.name}, ${addressesOf(other)}` }))}
      />
      <WhichStays pairWith={pairWith} onChoose={setChosen} />
    </FormModal>
  )
}

type WhichProps = { pairWith: (other_id: string | undefined) => Pair | undefined; onChoose: (id: string) => void }

/** Which of the two keeps its name, and what becomes of the other. */
function WhichStays({ pairWith, onChoose }: WhichProps) {
  const pair = pairWith(useWatch<{ other_id: string }>({ name: 'other_id' }))
  if (!pair) return null
  const { offered, kept, gone } = pair
  return (
    <>
      <RadioGroup
        label="Which one stays"
        choices={offered.map((each) => ({ value: each.id, label: each.name, about: `${packetsOf(each)} from ${addressesOf(each)}` }))}
        value={kept.id}
        onChange={onChoose}
      />
      <p className="text-fg-2 text-pretty">
        {kept.name} takes over the addresses of {gone.name} with their secrets, its sessions and what it has in quarantine; then {gone.name}{' '}
        is gone. Nothing is counted while its open sessions are moved; gateways repeat unanswered packets: keep the one that reported more.
        Where both have a session with the same id, the one seen last continues. This cannot be undone.
      </p>
    </>
  )
}
