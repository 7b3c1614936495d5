import { deepestRow, exportAssets, listAssets, registerAsset } from '@masthead/contract/assets/operations'
import { CardSim, Download, Plus, Terminal } from 'lucide-react'
import { useState, type MouseEvent } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { urlOf } from '../api/client.ts'
import { ByFileButton, ChangesButton, useBulkActions } from './bulk/index.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { BannerEnd } from '../kit/BannerEnd.tsx'
import { later } from '../kit/later.tsx'
import { QueryTable } from '../kit/QueryTable.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { copyText } from '../ui/copy.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Icon } from '../ui/Icon.tsx'
import { useAssetActions } from './asset-actions.tsx'
import { assetColumns } from './asset-columns.tsx'
import { assetLine } from './query/asset-line.ts'
import { useAssetSuggestions } from './query/use-asset-suggestions.ts'
import { numbersIn } from './query/pasted-numbers.ts'
import { filterKeys, useAssetFilters } from './asset-filters.tsx'
import { ViewStrip } from './views/ViewStrip.tsx'

const PastedNumbers = later(() => import('./query/PastedNumbers.tsx').then((file) => file.PastedNumbers))
const RegisterAssetModal = later(() => import('./RegisterAsset.tsx').then((file) => file.RegisterAssetModal))

/** The assets list; `/r/{sn}` opens it with the registration of that serial number (spec §2). */
export default function AssetsScreen() {
  const { sn } = useParams()
  const navigate = useNavigate()
  const filters = useAssetFilters()
  const { items, dialog } = useAssetActions()
  const bulk = useBulkActions()
  const [registering, setRegistering] = useState(false)
  const suggest = useAssetSuggestions()
  const [pasted, setPasted] = useState<string[] | null>(null)
  const register = { icon: Plus, operation: registerAsset, onClick: () => setRegistering(true) } as const
  const close = () => {
    setRegistering(false)
    if (sn !== undefined) void navigate('/assets', { replace: true })
  }
  return (
    <>
      <BannerEnd>
        <ActionButton {...register} color="primary-solid">
          Register asset
        </ActionButton>
      </BannerEnd>
      <ViewStrip filters={filters} />
      {pasted && (
        <div className="pb-4">
          <PastedNumbers
            key={pasted.join()}
            numbers={pasted}
            onFound={(list) => void navigate({ search: `search=list:${list}` })}
            onClose={() => setPasted(null)}
          />
        </div>
      )}
      <QueryTable
        operation={listAssets}
        label="Assets"
        columns={assetColumns}
        rowId={(asset) => asset.id}
        rowName={(asset) => asset.name}
        rowHref={(asset) => `/assets/${asset.id}`}
        rowActions={items}
        bulkActions={bulk.actions}
        filters={filters}
        search="Words, numbers, or silent:>7d"
        line={assetLine}
        suggest={suggest}
        onPaste={(text) => {
          const numbers = numbersIn(text)
          if (numbers) setPasted(numbers)
          return numbers !== null
        }}
        defaultSort="name"
        deepest={(sort) => (/name|type|status|serial|created/.test(sort) ? deepestRow : 0)}
        remember="assets"
        actions={
          <>
            <ByFileButton />
            <ChangesButton />
            <Export />
          </>
        }
        live
        empty={
          <EmptyState icon={CardSim} title="No data found" actions={<ActionButton {...register}>Register your first asset</ActionButton>}>
            An asset is a SIM or a device with one. Register the first by the serial number or ICCID on its label.
          </EmptyState>
        }
      />
      {dialog}
      {bulk.dialog}
      {(registering || sn !== undefined) && (
        <RegisterAssetModal key={sn ?? ''} {...(sn !== undefined && { token: sn })} onClose={close} replace={sn !== undefined} />
      )}
    </>
  )
}

/** All assets that match what is listed: as a file, which the browser streams to the disk, or as the call that lists them. */
function Export() {
  const [params] = useSearchParams()
  const line = params.get('search') ?? ''
  const isAsked = line !== '' && assetLine.read(line).mistake === null
  const query = {
    ...Object.fromEntries(filterKeys.map((key) => [key, params.getAll(key)]).filter(([, values]) => values!.length > 0)),
    ...(isAsked && { q: line }),
  }
  const sort = params.get('sort')
  return (
    <>
      <Button
        color="ghost"
        icon={Terminal}
        onClick={() =>
          void import('../kit/curl.ts').then(({ curlOf }) =>
            copyText(curlOf(listAssets, { query: { ...query, ...(sort && { sort }), page_size: 100 } }))
          )
        }
      >
        Copy as curl
      </Button>
      <a className={buttonClass('ghost')} href={urlOf(exportAssets, { query } as never)} download onClick={saveLink}>
        <Icon of={Download} className="-ml-0.5" />
        Export
      </a>
    </>
  )
}

/** Its code comes when it is asked for. */
function saveLink(event: MouseEvent<HTMLAnchorElement>) {
  event.preventDefault()
  const { href } = event.currentTarget
  void import('../kit/download.ts').then(({ download }) => download(href, 'assets.csv'))
}
