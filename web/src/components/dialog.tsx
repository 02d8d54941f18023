import { createEffect, createSignal, createUniqueId, Show, type ParentProps } from 'solid-js';

/** A dialog over the page. What is in it exists only while it is open; Escape and a click beside it close it. */
export const Dialog = (
  props: ParentProps<{ isOpen: boolean; title: string; onClose: () => void; isWide?: boolean }>,
) => {
  const [element, setElement] = createSignal<HTMLDialogElement>();
  const titleId = createUniqueId();
  createEffect(() => {
    const dialog = element();
    if (!dialog) return;
    if (props.isOpen) dialog.showModal();
    else dialog.close();
  });
  return (
    <dialog
      ref={setElement}
      class="dialog"
      classList={{ wide: props.isWide ?? false }}
      aria-labelledby={titleId}
      onClose={() => props.isOpen && props.onClose()}
      onClick={(event) => event.target === event.currentTarget && props.onClose()}
    >
      <Show when={props.isOpen}>
        <div class="dialog-body">
          <h2 id={titleId}>{props.title}</h2>
          {props.children}
        </div>
      </Show>
    </dialog>
  );
};
