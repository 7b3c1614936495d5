import { SkeletonLines } from '../ui/Skeleton.tsx'

export default function AssetScreen() {
  return <SkeletonLines />
}
