// Files with hashed addresses: the library fetches them itself, on first use.
import graph_url from '@mediapipe/selfie_segmentation/selfie_segmentation.binarypb?url&no-inline';
import library_url from '@mediapipe/selfie_segmentation/selfie_segmentation.js?url&no-inline';
import tall_model_url from '@mediapipe/selfie_segmentation/selfie_segmentation.tflite?url&no-inline';
import wide_model_url from '@mediapipe/selfie_segmentation/selfie_segmentation_landscape.tflite?url&no-inline';
import loader_url from '@mediapipe/selfie_segmentation/selfie_segmentation_solution_simd_wasm_bin.js?url&no-inline';
import wasm_url from '@mediapipe/selfie_segmentation/selfie_segmentation_solution_simd_wasm_bin.wasm?url&no-inline';

const FILES: Readonly<Record<string, string>> = {
  'selfie_segmentation.binarypb': graph_url,
  'selfie_segmentation.tflite': tall_model_url,
  'selfie_segmentation_landscape.tflite': wide_model_url,
  'selfie_segmentation_solution_simd_wasm_bin.js': loader_url,
  'selfie_segmentation_solution_simd_wasm_bin.wasm': wasm_url,
};

interface Solution {
  setOptions: (options: { modelSelection: 0 | 1; useCpuInference: boolean }) => void;
  onResults: (take: (results: { segmentationMask: CanvasImageSource }) => void) => void;
  initialize: () => Promise<void>;
  send: (input: { image: HTMLCanvasElement }) => Promise<void>;
  close: () => Promise<void>;
}

type Library = { SelfieSegmentation?: new (options: { locateFile: (name: string) => string }) => Solution };

/** Separates people from the background. */
export interface Segmenter {
  /** @param take gets the mask, opaque where there are people; it is only valid during the call */
  readonly segment: (image: HTMLCanvasElement, take: (mask: CanvasImageSource) => void) => Promise<void>;
  readonly close: () => Promise<void>;
}

let loading: Promise<void> | undefined;

function loadLibrary(): Promise<void> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = library_url;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      // The next call retries.
      loading = undefined;
      script.remove();
      reject(new Error('The segmentation library could not be fetched.'));
    });
    document.head.append(script);
  });
  return loading;
}

/**
 * Loads and starts the library and its model.
 * @param is_wide whether the picture is landscape, for which there is a model of half the cost
 */
export async function openSegmenter(is_wide: boolean): Promise<Segmenter> {
  await loadLibrary();
  const { SelfieSegmentation } = globalThis as unknown as Library;
  if (SelfieSegmentation === undefined) throw new Error('The segmentation library did not start.');
  const solution = new SelfieSegmentation({ locateFile: (name) => FILES[name] ?? name });
  // The model is small: on the CPU it takes a few milliseconds everywhere, even with slow graphics.
  solution.setOptions({ modelSelection: is_wide ? 1 : 0, useCpuInference: true });
  let takeMask: ((mask: CanvasImageSource) => void) | undefined;
  solution.onResults(({ segmentationMask }) => takeMask?.(segmentationMask));
  await solution.initialize();
  return {
    async segment(image, take) {
      takeMask = take;
      await solution.send({ image });
    },
    close: () => solution.close(),
  };
}
