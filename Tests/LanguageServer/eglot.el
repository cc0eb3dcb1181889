;;; A real emacs with eglot, in batch: each step prints yes or no.  -*- lexical-binding: t -*-
(require 'package)
(package-initialize)
(require 'eglot)
(require 'xref)
(unless (require 'markdown-mode nil t)
  (define-derived-mode markdown-mode text-mode "Markdown"))
(add-to-list 'auto-mode-alist '("\\.md\\'" . markdown-mode))
(setq make-backup-files nil create-lockfiles nil auto-save-default nil
      enable-local-variables nil eglot-connect-timeout 60 eglot-extend-to-xref nil
      eglot-send-changes-idle-time 0 revert-without-query '(".*") completion-styles '(basic flex)
      eglot-server-programs `((markdown-mode . (,(getenv "SLIP") "lsp"))))
;; Nobody is there to answer.
(defalias 'y-or-n-p (lambda (&rest _) t))
(defalias 'yes-or-no-p (lambda (&rest _) t))

(defvar here default-directory)
(defvar slip nil "The server.")

(defun until (what holds &optional seconds)
  "Waits until HOLDS gives something, and gives it."
  (let ((end (+ (float-time) (or seconds 15))) found)
    (while (not (setq found (funcall holds)))
      (when (> (float-time) end) (error "not so: %s" what))
      (accept-process-output nil 0.05))
    found))

(defun disk (name)
  (let ((path (expand-file-name name here)))
    (if (file-exists-p path)
        (with-temp-buffer (insert-file-contents path) (buffer-string))
      "")))

(defun visit (name)
  (switch-to-buffer (find-file-noselect (expand-file-name name here)))
  (revert-buffer t t)
  (unless slip
    (eglot '(markdown-mode) (project-current nil here) 'eglot-lsp-server (list (getenv "SLIP") "lsp") "markdown")
    (setq slip (until "the server runs" #'eglot-current-server)))
  (unless (eglot-managed-p) (eglot--maybe-activate-editing-mode))
  (until (format "%s is managed" name) #'eglot-managed-p)
  (goto-char (point-min)))

(defun seek (text)
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun say-changes () (eglot--signal-textDocument/didChange))

(defun act (word)
  "Runs the first action whose title has WORD."
  (say-changes)
  (let* ((actions (eglot-code-actions (point) (point)))
         (fitting (cl-find-if (lambda (action) (string-match-p (regexp-quote word) (downcase (plist-get action :title)))) actions)))
    (unless fitting (error "no action %s among %S" word (mapcar (lambda (action) (plist-get action :title)) actions)))
    (cl-letf (((symbol-function 'completing-read) (lambda (&rest _) (plist-get fitting :title)))
              (last-nonmenu-event ?x))  ; no mouse
      (eglot--read-execute-code-action (list fitting) slip))))

(defun save-all () (save-some-buffers t))

(defmacro step (name &rest body)
  `(condition-case why
       (progn ,@body (princ (format "yes\t%s\n" ,name)))
     (error (princ (format "no\t%s\t%s\n" ,name (replace-regexp-in-string "\n" " " (error-message-string why)))))))

(step "completes a link"
  (visit "plan.md")
  (goto-char (point-max))
  (insert "Also 🙂 [[Ferm")
  (say-changes)
  (completion-at-point)
  (until "the link is whole" (lambda () (string-match-p "\\[\\[Fermentation basics\\]\\]" (buffer-string))))
  (insert "\n")
  (save-all)
  (unless (string-match-p "Also 🙂 \\[\\[Fermentation basics\\]\\]\n" (disk "plan.md")) (error "on disk: %s" (disk "plan.md"))))

(step "follows it"
  (visit "plan.md")
  (seek "Fermentation")
  (forward-char 3)
  (xref-find-definitions "LSP identifier at point.")
  (unless (equal (buffer-name) "fermentation.md") (error "went to %s" (buffer-name))))

(step "shows what is under the cursor"
  (visit "plan.md")
  (seek "Feed the")
  (let ((hover (jsonrpc-request slip :textDocument/hover (eglot--TextDocumentPositionParams))))
    (unless (string-match-p "Feed the starter" (format "%S" hover)) (error "hover: %S" hover))))

(step "shows the backlinks"
  (visit "fermentation.md")
  (seek "Fermentation basics")
  (let ((found (xref-backend-references 'eglot "LSP identifier at point.")))
    (unless (>= (length found) 6) (error "%d backlinks" (length found)))))

(step "renames the note"
  (visit "plan.md")
  (seek "Feed the")
  (forward-char 2)
  (eglot-rename "Feed the sourdough")
  (until "the links have the new title"
         (lambda () (with-current-buffer "plan.md" (not (string-match-p "starter" (buffer-string))))))
  (save-all)
  (until "the note has its title" (lambda () (string-match-p "title: Feed the sourdough\n" (disk "feed.md")))))

(step "makes the missing note"
  (visit "broken.md")
  (seek "No such note")
  (act "no such note")
  (until "there is a file of it"
         (lambda () (save-all) (directory-files-recursively here "no[- ]such[- ]note.*\\.md\\'"))))

(step "finishes the linked task"
  (save-all)
  (call-process (getenv "SLIP") nil nil nil "commit")
  ;; Emacs does not have the task open: the server changes it, by a commit.
  (when (get-buffer "feed.md") (kill-buffer "feed.md"))
  (visit "plan.md")
  (seek "Feed the")
  (act "finish")
  (until "the task is done" (lambda () (save-all) (string-match-p "done: true\n" (disk "feed.md")))))

(step "undoes it"
  (unless (string-match-p "done: true\n" (disk "feed.md")) (error "it was not done"))
  (eglot-execute-command slip "slip.undo" [])
  (until "the task is open again" (lambda () (string-match-p "done: false\n" (disk "feed.md")))))

(step "ends in order"
  (eglot-shutdown slip)
  (until "the process is gone" (lambda () (not (process-live-p (jsonrpc--process slip))))))
