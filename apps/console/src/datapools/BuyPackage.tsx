import { getBalance } from '@masthead/contract/billing/operations'
import { formatMoney } from '@masthead/contract/billing/money'
import { buyPackage, listPackages } from '@masthead/contract/datapools/operations'
import { whyNotSold } from '@masthead/contract/datapools/package'
import { overageWords } from '@masthead/contract/datapools/pool'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { q } from '../api/query.ts'
import { useDenied } from '../kit/ActionButton.tsx'
import { FormCheckbox, FormText } from '../kit/FormField.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { FormSelect } from '../kit/FormSelect.tsx'
import { Notice } from '../ui/Notice.tsx'
import { toast } from '../ui/toast.ts'
import { priceWords, zoneWords } from './pool-words.ts'
import { TooLow } from './TooLow.tsx'

/** A package that the balance pays for. What was bought is shown next: it needs assets. */
export function BuyPackage({ chosen = '', onClose, onBought }: { chosen?: string; onClose: () => void; onBought: (id: string) => void }) {
  const packages = useQuery(q(listPackages, {})).data?.items
  const mayLook = useDenied()(getBalance) === null
  const balance = useQuery({ ...q(getBalance, {}), enabled: mayLook }).data?.balance
  const off = balance === null ? 'Billing is not switched on for this account' : null
  const currency = balance?.currency
  const sold = packages?.filter((each) => whyNotSold(each, currency ?? each.currency) === null)
  return (
    <FormModal
      open
      onClose={onClose}
      title="Buy data"
      operation={buyPackage}
      values={{ package_id: chosen, auto_renew: true }}
      submit="Buy"
      refused={off}
      onDone={({ id, name }) => {
        onBought(id)
        toast.success(`The data pool ${name} is open. Add the assets that draw from it`)
      }}
      explain={({ code, detail }) => (code === 'balance_too_low' ? <TooLow detail={detail} /> : detail)}
    >
      {off && <Notice tone="info">{off}: your provider can open a data pool for you.</Notice>}
      <FormSelect
        name="package_id"
        label="Package"
        search
        placeholder={sold?.length === 0 ? 'No package is offered' : 'Choose'}
        options={(sold ?? []).map((each) => ({
          value: each.id,
          label: `${each.name}: ${formatBytes(each.size_bytes)}${each.kind === 'dynamic' ? ' of each SIM' : ''}, ${priceWords(each)}`,
        }))}
      />
      <Chosen packages={sold ?? []} />
      <FormText name="name" label="Name" hint="The package’s name where this is empty." emptyIsNone />
      <FormCheckbox name="auto_renew">Renew it when its term is over: the next term is paid from the balance then</FormCheckbox>
      {balance && <p className="text-fg-2">{formatMoney(balance.available_micros, balance.currency, { decimals: 2 })} can be spent.</p>}
    </FormModal>
  )
}

type Offered = Parameters<typeof priceWords>[0] & Parameters<typeof zoneWords>[0] & Parameters<typeof overageWords>[0] & { id: string }

function Chosen({ packages }: { packages: readonly Offered[] }) {
  const id = useWatch({ name: 'package_id' }) as string
  const chosen = packages.find((each) => each.id === id)
  return chosen ? (
    <p className="text-fg-2">
      {zoneWords(chosen)}. After it: {overageWords(chosen)}. {priceWords(chosen)}
      {chosen.kind === 'dynamic' ? ': each SIM is paid when you add it, and nothing before.' : ', the first term is paid now.'}
    </p>
  ) : null
}
