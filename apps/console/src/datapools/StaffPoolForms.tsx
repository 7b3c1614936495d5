import { createPackage, endPool, growPool, openPool, type CustomerPool } from '@masthead/contract/backoffice/pool-operations'
import { overagePolicies, poolKinds, type OveragePolicy, type Package, type PoolKind } from '@masthead/contract/datapools/package'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useWatch } from 'react-hook-form'
import { FormCheckbox, FormNumber, FormText } from '../kit/FormField.tsx'
import { FormSelect } from '../kit/FormSelect.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { FormScaled } from '../kit/FormScaled.tsx'
import { toast } from '../ui/toast.ts'

const optionsOf = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))
const gigabyte = 1_000_000_000

export const CreatePackage = ({ zones, onClose }: { zones: readonly string[]; onClose: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title="Create package"
    operation={createPackage}
    values={{
      name: '',
      kind: 'fixed',
      size_bytes: 10 * gigabyte,
      zone: null,
      validity: { count: 1, unit: 'month' },
      price_micros: 0,
      overage_policy: 'stop',
      max_sims: null,
      prorate_first: false,
    }}
    submit="Create package"
    size="large"
    onDone={({ name }) => toast.success(`${name} is offered`)}
  >
    <FormText name="name" label="Name" placeholder="Europe 10 GB" />
    <FormSelect
      name="kind"
      label="Kind"
      options={optionsOf(poolKinds)}
      hint="Fixed: one size for all SIMs of the pool. Per SIM: each SIM brings its own, and all share the sum."
    />
    <Size />
    <FormSelect
      name="zone"
      label="Zone"
      placeholder="Everywhere"
      options={[{ value: null as unknown as string, label: 'Everywhere' }, ...zones.map((zone) => ({ value: zone, label: zone }))]}
      hint="Only usage in networks of this zone is taken from the pool."
    />
    <div className="grid grid-cols-2 gap-4">
      <FormNumber name="validity.count" label="Lasts" decimals={0} min={1} max={366} />
      <FormSelect
        name="validity.unit"
        label="Unit"
        options={[
          { value: 'month', label: 'Months' },
          { value: 'day', label: 'Days' },
        ]}
      />
    </div>
    <Price />
    <Membership />
    <After />
  </FormModal>
)

const useBySim = () => (useWatch({ name: 'kind' }) as PoolKind) === 'dynamic'
const Size = () => <FormScaled name="size_bytes" label={useBySim() ? 'Data of each SIM (GB)' : 'Size (GB)'} scale={gigabyte} />
const Price = () => <FormScaled name="price_micros" label={`Price ${useBySim() ? 'of each SIM ' : ''}for a term (USD)`} scale={1_000_000} />

function Membership() {
  const bySim = useBySim()
  return (
    <>
      <FormNumber name="max_sims" label="Most SIMs" decimals={0} min={1} max={10_000_000} hint="Empty: any number." />
      {bySim && <FormCheckbox name="prorate_first">A SIM that comes within a term brings only its share of the days left</FormCheckbox>}
    </>
  )
}

function After() {
  const policy = useWatch({ name: 'overage_policy' }) as OveragePolicy
  return (
    <>
      <FormSelect
        name="overage_policy"
        label="After the pool"
        options={optionsOf(overagePolicies)}
        hint="The customer may choose otherwise later."
      />
      {policy === 'percent' && <FormNumber name="overage_percent" label="Per cent more" decimals={0} min={1} max={500} />}
    </>
  )
}

export function OpenPool({ packages, onClose }: { packages: readonly Package[]; onClose: () => void }) {
  const offered = packages.filter(({ retired_at }) => !retired_at)
  return (
    <FormModal
      open
      onClose={onClose}
      title="Open pool"
      operation={openPool}
      values={{ account: '', package_id: '', reason: '' }}
      submit="Open pool"
      onDone={({ name }) => toast.success(`${name} was opened`)}
      explain={({ status, detail }) => (status === 404 && !detail.includes('package') ? 'No account has this e-mail' : detail)}
    >
      <FormText name="account" label="E-mail of the account’s owner" type="email" />
      <FormSelect
        name="package_id"
        label="Package"
        search
        options={offered.map(({ id, name, size_bytes }) => ({ value: id, label: `${name} (${formatBytes(size_bytes)})` }))}
      />
      <FormText name="name" label="Name" hint="The package’s name where this is empty." emptyIsNone />
      <FormText name="reason" label="Reason" hint="The customer reads it." />
    </FormModal>
  )
}

export const GrowPool = ({ pool, onClose }: { pool: CustomerPool; onClose: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title={`Give ${pool.name} more data`}
    operation={growPool}
    values={{ bytes: gigabyte, reason: '' }}
    input={(body) => ({ params: { any_pool_id: pool.id }, body })}
    submit="Give data"
    onDone={() => toast.success(`${pool.name} has more data in this term`)}
  >
    <FormScaled name="bytes" label="Data (GB)" scale={gigabyte} hint="For the term that runs, without a charge." />
    <FormText name="reason" label="Reason" hint="The customer reads it." />
  </FormModal>
)

export const EndPool = ({ pool, onClose }: { pool: CustomerPool; onClose: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title={`End ${pool.name} now?`}
    operation={endPool}
    values={{ reason: '' }}
    input={(body) => ({ params: { any_pool_id: pool.id }, body })}
    submit="End pool"
    color="danger"
    onDone={() => toast.success(`${pool.name} has ended`)}
  >
    <p>
      {pool.sims === 0
        ? 'No SIM is in it.'
        : `${pool.sims === 1 ? 'Its SIM goes' : `Its ${pool.sims.toLocaleString('en')} SIMs go`} on without it: from other pools, or without any.`}{' '}
      This cannot be undone.
    </p>
    <FormText name="reason" label="Reason" hint="The customer reads it." />
  </FormModal>
)
