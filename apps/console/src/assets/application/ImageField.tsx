import { useQuery } from '@tanstack/react-query'
import { getApplication } from '@masthead/contract/devices/agent/operations'
import { listRepositories, listTags } from '@masthead/contract/registry/operations'
import { useId } from 'react'
import { useFormContext } from 'react-hook-form'
import { q } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { FormText } from '../../kit/FormField.tsx'
import { useRested } from '../../kit/use-rested.ts'
import { platformsWords, registryHost } from '../../registry/index.ts'
import { Notice } from '../../ui/Notice.tsx'
import { fits, ownImage, typedImage } from './own-image.ts'

const few = (search: string) => ({ page_size: 100, ...(search !== '' && { search: search.slice(0, 200) }) })

/** The image of a container: those of the account's registry are offered, and one that the device cannot run is named as such. */
export function ImageField({ asset_id }: { asset_id: string }) {
  const list = useId()
  const image = useRested((useFormContext<{ image: string }>().watch('image') ?? '').trim())
  const mayPick = useMay(listRepositories)
  const host = registryHost()
  const typed = typedImage(image, host)
  const repositories = useQuery({ ...q(listRepositories, { query: few(typed.repository) }), enabled: mayPick }).data?.items ?? []
  const repository = repositories.find(({ name }) => name === typed.repository)
  const params = { repository_id: repository?.id ?? '' }
  const tags = useQuery({ ...q(listTags, { params, query: few(typed.tag) }), enabled: repository !== undefined }).data?.items
  const named = ownImage(image, host)
  const one = named?.digest ? { search: named.digest } : { name: named?.tag ?? '' }
  const found = useQuery({
    ...q(listTags, { params, query: { page_size: 1, ...one } }),
    enabled: repository !== undefined && named !== null,
  }).data?.items
  const tag = found?.find(({ name, digest }) => (named?.digest ? digest === named.digest : name === named?.tag))
  const device = useQuery(q(getApplication, { params: { asset_id } })).data?.device
  const options =
    repository && tags ? tags.map(({ name }) => `${host}/${repository.name}:${name}`) : repositories.map(({ name }) => `${host}/${name}:`)
  return (
    <>
      <FormText
        name="image"
        label="Image and tag"
        placeholder="registry.example.com/acme/relay:2.4"
        list={list}
        {...(mayPick && { hint: 'Images of your registry are offered as you type' })}
        mono
        spellCheck={false}
      />
      <datalist id={list}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
      {tag && device && !fits(tag.platforms, device.architecture) && (
        <Notice tone="warn">
          The image is built for {platformsWords(tag.platforms)}, and the processor of this device is {device.architecture}: its container
          will not start there.
        </Notice>
      )}
    </>
  )
}
